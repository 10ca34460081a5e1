//! `poldet cache`: what is kept, and getting rid of it.

use crate::cache::store::Stats;
use crate::cache::{Cache, place};
use crate::cli::{CacheArgs, CacheCommand, CacheDo};
use crate::exit;
use crate::tools::print;
use crate::vm_options;

pub fn cache(options: &CacheCommand) -> Result<i32, String> {
    let args = CacheArgs {
        no_cache: false,
        ..options.cache.clone()
    };
    let opened = Cache::of(&args)?;
    let (Some(opened), (Some(dir), _)) = (opened, place(&args)?) else {
        return Err("there is no cache: give its folder by --cache DIR".into());
    };
    let dir = dir.display();
    let store = &opened.store;
    match &options.what {
        CacheDo::Stats => {
            let Stats {
                entries,
                bytes,
                limit,
            } = store.stats();
            let text =
                format!("folder: {dir}\nentries: {entries}\nbytes: {bytes}\nlimit: {limit} (--cache-size)\n");
            print(text.as_bytes())
        }
        CacheDo::Prune { to } => {
            let limit = vm_options::size(to).map_err(|_| format!("--to '{to}': not a size"))?;
            let removed = store.prune(limit);
            let left = store.stats();
            let text = format!(
                "removed {} entries ({} bytes); {} are left ({} bytes)\n",
                removed.entries, removed.bytes, left.entries, left.bytes
            );
            print(text.as_bytes())
        }
        CacheDo::Verify => {
            let (all, broken) = store.verify();
            print(format!("{all} entries checked, {broken} were not whole and are removed\n").as_bytes())?;
            Ok(if broken == 0 {
                exit::COMPLETE
            } else {
                exit::FAIL_ON
            })
        }
    }
}
