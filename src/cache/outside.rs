//! What a result depends on besides its inputs: the files that tests asked for, as they were.

use crate::cache::digest::Digests;
use crate::run::shown::Paths;
use poldet_records::Used;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Paths as the tests see them, each with what was there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outside {
    paths: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    listed: BTreeMap<String, String>,
}

/// Folders of the kernel: what they say is another thing the next time.
const KERNELS: [&str; 3] = ["/proc", "/sys", "/dev"];
/// Of these the guest sees its own.
const GUESTS: [&str; 6] = [
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/dev/stdin",
    "/dev/tty",
];

impl Outside {
    /// What was used, without what is known anyway: paths below these.
    pub fn of(used: &Used, known: &[String], paths: &Paths, digests: &Digests) -> Result<Outside, String> {
        if used.programs {
            return Err("tests started programs".into());
        }
        let outside = |path: &&String| {
            let inside = |folder: &str| {
                path.strip_prefix(folder)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            !known.iter().any(|k| inside(k)) && !GUESTS.contains(&path.as_str())
        };
        let mut found = Outside::default();
        for path in used.paths.iter().filter(outside) {
            if KERNELS
                .iter()
                .any(|k| path.starts_with(k) && path.as_bytes().get(k.len()) == Some(&b'/'))
            {
                return Err(format!("tests asked for {path}"));
            }
            let state = state(&paths.real(path), digests);
            found.paths.insert(path.clone(), state);
        }
        for path in used.listed.iter().filter(outside) {
            found.listed.insert(path.clone(), names(&paths.real(path)));
        }
        Ok(found)
    }

    /// Whether all is as it was.
    pub fn holds(&self, paths: &Paths, digests: &Digests) -> bool {
        self.holds_each(paths, digests, &mut |_, holds| holds())
    }

    /// The same, where somebody remembers what was found out of each path: `known` gets a name for it, and how to find out.
    pub fn holds_each(
        &self,
        paths: &Paths,
        digests: &Digests,
        known: &mut dyn FnMut(String, &dyn Fn() -> bool) -> bool,
    ) -> bool {
        let mut files = self.paths.iter();
        let mut folders = self.listed.iter();
        files.all(|(path, was)| {
            known(format!("{path} {was}"), &|| {
                state(&paths.real(path), digests) == *was
            })
        }) && folders.all(|(path, was)| {
            known(format!("names {path} {was}"), &|| {
                names(&paths.real(path)) == *was
            })
        })
    }
}

/// What is at a path: nothing, a folder, or a file with its contents and rights.
fn state(path: &Path, digests: &Digests) -> String {
    match fs::metadata(path) {
        Err(_) => "missing".into(),
        Ok(meta) if meta.is_dir() => "folder".into(),
        Ok(meta) if meta.is_file() => {
            let rights = meta.permissions().mode() & 0o777;
            match digests.file(path) {
                Ok(digest) => format!("file {rights:o} {digest}"),
                Err(_) => format!("file {rights:o} that cannot be read"),
            }
        }
        Ok(_) => "something else".into(),
    }
}

fn names(path: &Path) -> String {
    let Ok(entries) = fs::read_dir(path) else {
        return "missing".into();
    };
    let mut names: Vec<String> = entries
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    blake3::hash(names.join("\n").as_bytes()).to_hex().to_string()
}
