//! The options of benches that run poldet on real suites.

use std::path::{Path, PathBuf};

pub struct Options {
    pub runs: usize,
    pub poldet: PathBuf,
    pub list: PathBuf,
    pub names: Vec<String>,
}

impl Options {
    /// Reads `[--runs N] [--poldet FILE] [--list FILE] [SUITE...]`; what is none of these is answered with the usage.
    pub fn read(mut args: impl Iterator<Item = String>, usage: &str) -> Result<Options, String> {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut found = Options {
            runs: 1,
            poldet: top.join("target/release/poldet"),
            list: top.join("scripts/parity.ini"),
            names: Vec::new(),
        };
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--runs" => {
                    let runs = args.next().and_then(|n| n.parse().ok()).filter(|n| *n > 0);
                    found.runs = runs.ok_or(usage)?;
                }
                "--poldet" => found.poldet = args.next().ok_or(usage)?.into(),
                "--list" => found.list = args.next().ok_or(usage)?.into(),
                flag if flag.starts_with('-') => return Err(usage.into()),
                name => found.names.push(name.to_owned()),
            }
        }
        found.poldet = found.poldet.canonicalize().map_err(|_| {
            let file = found.poldet.display();
            format!("{file} is not there: cargo build --release, or give --poldet FILE")
        })?;
        Ok(found)
    }
}
