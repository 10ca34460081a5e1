//! The options of the cache, and `poldet cache`.

use crate::cache::store::SIZE;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Clone, Args)]
pub struct CacheArgs {
    /// Where results are kept: a run with the same inputs is not made again [default: $XDG_CACHE_HOME/poldet]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache", help_heading = "Cache")]
    pub cache: Option<PathBuf>,

    /// Run in any case, and keep nothing
    #[arg(long, help_heading = "Cache")]
    pub no_cache: bool,

    /// How much may be kept; what was not used for longest is removed first
    #[arg(long, value_name = "N", default_value = SIZE, help_heading = "Cache")]
    pub cache_size: String,
}

#[derive(Clone, Args)]
pub struct CacheCommand {
    #[command(subcommand)]
    pub what: CacheDo,

    #[command(flatten)]
    pub cache: CacheArgs,
}

#[derive(Clone, Subcommand)]
pub enum CacheDo {
    /// Show how much is kept
    Stats,
    /// Remove what was not used for longest
    Prune {
        /// Until no more than so much is left
        #[arg(long, value_name = "N", default_value = "0")]
        to: String,
    },
    /// Check that all entries are whole, and remove those that are not
    Verify,
}
