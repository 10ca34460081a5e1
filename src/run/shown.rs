//! Fixed paths at which tests see the suite, its libraries and the JDK: what they see of paths, and what follows from it
//! (messages, values, identity hashes), is the same in whatever folder the suite lies.
//!
//! The folder around the tests' working folder is one piece, so that tests find what lies beside them; so is a repository of
//! libraries. What a class path has besides is shown by its number.

use crate::sandbox::Shown;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

const WORK: &str = "/poldet/work";
const JDK: &str = "/poldet/jdk";
const CLASS_PATH: &str = "/poldet/cp";
/// Folders in which build tools keep libraries, and where they are shown.
const REPOSITORIES: [(&str, &str); 2] = [
    (".m2/repository", "/poldet/repository"),
    (".gradle/caches/modules-2/files-2.1", "/poldet/modules"),
];
/// Files that make a folder a part of a build.
const BUILD_FILES: [&str; 5] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
];

/// What is shown where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paths {
    pub mounts: Vec<Shown>,
}

impl Paths {
    /// For tests that work in a folder, with these entries of the class path; nothing is moved where the folder is the root.
    pub fn new<'a>(dir: &Path, jdk: &Path, entries: impl Iterator<Item = &'a str>) -> Paths {
        let mut paths = Paths::default();
        let work = project_around(dir);
        if work.parent().is_none() {
            return paths;
        }
        paths.add(WORK.into(), work);
        if let Ok(home) = jdk.canonicalize() {
            paths.add(JDK.into(), home);
        }
        for (number, entry) in entries.enumerate() {
            let Ok(real) = Path::new(entry).canonicalize() else {
                continue;
            };
            if paths.place(&real).is_some() {
                continue;
            }
            match repository(&real) {
                Some((root, at)) => paths.add(at.into(), root),
                None => {
                    let root = match real.is_dir() {
                        true => project_of_classes(&real),
                        false => real,
                    };
                    let at = Path::new(CLASS_PATH).join(number.to_string());
                    let at = root.file_name().map(|name| at.join(name));
                    if let Some(at) = at {
                        paths.add(at, root);
                    }
                }
            }
        }
        paths
    }

    fn add(&mut self, at: PathBuf, real: PathBuf) {
        self.mounts.push(Shown { at, real });
    }

    /// Where a canonical path is shown.
    fn place(&self, real: &Path) -> Option<PathBuf> {
        let inside = self
            .mounts
            .iter()
            .filter_map(|m| Some((m, real.strip_prefix(&m.real).ok()?)));
        let (mount, rest) = inside.max_by_key(|(m, _)| m.real.components().count())?;
        Some(match rest.as_os_str().is_empty() {
            true => mount.at.clone(),
            false => mount.at.join(rest),
        })
    }

    /// Where a path of this machine is shown; as it is where it is shown nowhere else.
    pub fn shown(&self, path: &str) -> String {
        let given = Path::new(path);
        if !given.is_absolute() {
            return path.to_owned();
        }
        // A path that leads out of a folder again is not in it.
        let plain = !given.components().any(|c| c == Component::ParentDir);
        let found = plain.then(|| self.place(given)).flatten();
        let found = found.or_else(|| self.place(&given.canonicalize().ok()?));
        match found.as_deref().and_then(Path::to_str) {
            Some(found) => found.to_owned(),
            None => path.to_owned(),
        }
    }

    /// Paths with colons between them, or any other text, with what is shown elsewhere written so.
    pub fn shown_in(&self, text: &str) -> String {
        let parts: Vec<String> = text.split(':').map(|part| self.shown(part)).collect();
        parts.join(":")
    }

    /// Where a path that tests saw really is.
    pub fn real(&self, path: &str) -> PathBuf {
        let path = Path::new(path);
        let inside = self
            .mounts
            .iter()
            .filter_map(|m| Some((m, path.strip_prefix(&m.at).ok()?)));
        match inside.max_by_key(|(m, _)| m.at.components().count()) {
            Some((mount, rest)) if rest.as_os_str().is_empty() => mount.real.clone(),
            Some((mount, rest)) => mount.real.join(rest),
            None => path.to_owned(),
        }
    }
}

fn is_build(dir: &Path) -> bool {
    BUILD_FILES.iter().any(|name| dir.join(name).is_file())
}

/// The topmost folder of the build that a folder belongs to; the folder itself if it belongs to none.
fn project_around(dir: &Path) -> PathBuf {
    let mut root = dir;
    while is_build(root)
        && let Some(parent) = root.parent().filter(|p| is_build(p))
    {
        root = parent;
    }
    root.to_owned()
}

/// The project whose build made a folder of classes, which is not far above it.
fn project_of_classes(classes: &Path) -> PathBuf {
    let above = classes.ancestors().skip(1).take(5);
    let project = above.filter(|d| d.parent().is_some()).find(|d| is_build(d));
    project.map_or_else(|| classes.to_owned(), project_around)
}

/// The repository that a library lies in.
fn repository(real: &Path) -> Option<(PathBuf, &'static str)> {
    REPOSITORIES.into_iter().find_map(|(end, at)| {
        let root = real.ancestors().find(|d| d.ends_with(end))?;
        Some((root.to_owned(), at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_does_not_depend_on_where_it_lies() {
        let base = std::env::temp_dir().join(format!("poldet-shown-{}", std::process::id()));
        let mut seen = Vec::new();
        for folder in ["a", "b/c"] {
            let project = base.join(folder).join("project");
            let module = project.join("core");
            let classes = base.join(folder).join("other/classes");
            let jar = base.join(folder).join(".m2/repository/x/y.jar");
            for dir in [&module, &classes, &jar.parent().unwrap().to_owned()] {
                std::fs::create_dir_all(dir).unwrap();
            }
            for file in [project.join("pom.xml"), module.join("pom.xml"), jar.clone()] {
                std::fs::write(file, "").unwrap();
            }
            let project = project.canonicalize().unwrap();
            let entries = [classes.to_str().unwrap(), jar.to_str().unwrap()];
            let paths = Paths::new(
                &project.join("core"),
                Path::new("/nonexistent"),
                entries.into_iter(),
            );
            let texts = [
                module.to_str().unwrap(),
                entries[0],
                entries[1],
                "/usr/bin:relative",
            ];
            let around = format!("{}/../core/../../other/classes", module.display());
            assert_eq!(paths.shown(&around), "/poldet/cp/0/classes");
            let shown: Vec<String> = texts.iter().map(|t| paths.shown_in(t)).collect();
            assert_eq!(paths.real(&shown[0]), project.join("core"));
            seen.push(shown);
        }
        std::fs::remove_dir_all(&base).unwrap();
        let expected = [
            "/poldet/work/core",
            "/poldet/cp/0/classes",
            "/poldet/repository/x/y.jar",
        ];
        assert_eq!(seen[0][..3], expected);
        assert!(seen[0][3].ends_with(":relative"), "{:?}", seen[0]);
        assert_eq!(seen[0], seen[1]);
    }
}
