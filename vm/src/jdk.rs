//! Finds the JDK whose class library is run: a folder given by the user, `JAVA_HOME`, `java` on the PATH, then the
//! usual folders.

use crate::jimage::JImage;
use std::path::{Path, PathBuf};

pub const OLDEST: u32 = 17;
pub const NEWEST: u32 = 25;

/// Folders whose children are JDKs, on Linux and macOS.
const USUAL: [&str; 3] = ["/usr/lib/jvm", "/usr/java", "/Library/Java/JavaVirtualMachines"];

const ADVICE: &str = "install one (Debian: apt install openjdk-17-jdk-headless) or set JAVA_HOME";

/// A JDK that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    pub home: PathBuf,
    /// As the release file says it: `17.0.21`.
    pub version: String,
    /// The first number of the version.
    pub feature: u32,
}

/// A release and its update: 17 and 21 of `17.0.21`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub feature: u32,
    pub update: u32,
}

impl Version {
    /// As the release file writes it: `17.0.21`, `25`, `21-ea`, `1.8.0_392`.
    pub fn parse(text: &str) -> Option<Version> {
        let numbers: Vec<u32> = text
            .split(|c: char| !c.is_ascii_digit())
            .map_while(|n| n.parse().ok())
            .collect();
        let numbers = match numbers.first()? {
            1 => numbers.get(1..)?,
            _ => &numbers[..],
        };
        Some(Version {
            feature: *numbers.first()?,
            update: numbers.get(2).copied().unwrap_or(0),
        })
    }

    /// What the release file of the JDK in this folder says.
    pub fn of_home(home: &Path) -> Option<Version> {
        let text = std::fs::read_to_string(home.join("release")).ok()?;
        Version::parse(release_value(&text, "JAVA_VERSION")?)
    }

    /// Whether this JDK has a change that came with these updates (release and update, the newest release last). A
    /// release not named has it when it is newer than all of them.
    pub fn has(self, updates: &[(u32, u32)]) -> bool {
        match updates.iter().find(|(feature, _)| *feature == self.feature) {
            Some((_, update)) => self.update >= *update,
            None => updates.last().is_some_and(|(newest, _)| self.feature > *newest),
        }
    }
}

/// Where to look, so that tests need not change the process's environment.
pub struct Places {
    pub java_home: Option<PathBuf>,
    pub path: Vec<PathBuf>,
    pub folders: Vec<PathBuf>,
}

impl Places {
    pub fn of_this_machine() -> Places {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = USUAL.iter().map(PathBuf::from).collect();
        if let Some(home) = std::env::var_os("HOME") {
            folders.push(Path::new(&home).join(".sdkman/candidates/java"));
            folders.push(Path::new(&home).join(".jdks"));
        }
        Places {
            java_home: std::env::var_os("JAVA_HOME")
                .filter(|v| !v.is_empty())
                .map(PathBuf::from),
            path: std::env::split_paths(&path).collect(),
            folders,
        }
    }
}

impl Jdk {
    /// Finds a JDK on this machine; a folder given must be one.
    pub fn find(explicit: Option<&Path>) -> Result<Jdk, String> {
        match explicit {
            Some(home) => Jdk::at(home),
            None => Jdk::find_in(&Places::of_this_machine()),
        }
    }

    /// The first usable JDK. Unusable ones (a JAVA_HOME of Java 8, say) are skipped, and named when nothing else is
    /// found.
    pub fn find_in(places: &Places) -> Result<Jdk, String> {
        let mut refused = None;
        let on_path = places.path.iter().find_map(|dir| home_of_java(&dir.join("java")));
        for home in places.java_home.iter().chain(on_path.iter()) {
            match Jdk::at(home) {
                Ok(jdk) => return Ok(jdk),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        let mut found = Vec::new();
        for folder in &places.folders {
            for home in children(folder) {
                match Jdk::at(&home) {
                    Ok(jdk) => found.push(jdk),
                    Err(why) if home.join("bin/java").exists() => refused = refused.or(Some(why)),
                    Err(_) => {}
                }
            }
        }
        // 17 is the version tested most; then the nearest above it. The sort is stable: folders come in order of name.
        found.sort_by_key(|jdk| jdk.feature);
        let reason = refused.map(|why| format!(" ({why})")).unwrap_or_default();
        let missing = || format!("no JDK of version {OLDEST} to {NEWEST} found{reason}: {ADVICE}");
        found.into_iter().next().ok_or_else(missing)
    }

    /// The JDK in this folder.
    pub fn at(home: &Path) -> Result<Jdk, String> {
        let bundle = home.join("Contents/Home");
        let home = if bundle.is_dir() { &bundle } else { home };
        let show = home.display();
        let version = match std::fs::read_to_string(home.join("release")) {
            Ok(text) => release_value(&text, "JAVA_VERSION").map(str::to_owned),
            Err(_) => None,
        };
        let image = home.join("lib/modules");
        let version = match version {
            Some(version) => version,
            // Some packages leave the release file out; the class library itself knows.
            None if image.is_file() => version_of_image(&image)?,
            None => {
                return Err(format!(
                    "{show} is not a JDK of version {OLDEST} to {NEWEST}: it has no release file"
                ));
            }
        };
        let feature = Version::parse(&version)
            .ok_or_else(|| format!("{show} has an unreadable version: {version}"))?
            .feature;
        if !(OLDEST..=NEWEST).contains(&feature) {
            return Err(format!(
                "{show} is Java {version}; versions {OLDEST} to {NEWEST} are supported"
            ));
        }
        if !image.is_file() {
            return Err(format!("{show} has no lib/modules: it is not a complete JDK"));
        }
        Ok(Jdk {
            home: home.to_path_buf(),
            version,
            feature,
        })
    }

    /// The image with the class library.
    pub fn modules(&self) -> PathBuf {
        self.home.join("lib/modules")
    }

    /// The newest class file version this JDK runs.
    pub fn max_class_version(&self) -> u16 {
        crate::releases::Release(self.feature).max_class_version()
    }
}

/// Follows links from a `java` command to the folder it is part of.
fn home_of_java(java: &Path) -> Option<PathBuf> {
    let real = java.canonicalize().ok()?;
    real.parent()?.parent().map(Path::to_path_buf)
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    list.sort();
    list
}

/// A value of the release file, whose lines are `KEY="value"`.
fn release_value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
    Some(value.trim().trim_matches('"'))
}

fn version_of_image(image: &Path) -> Result<String, String> {
    let object = JImage::open(image)?
        .find("java.base", "java/lang/Object.class")
        .unwrap_or(&[]);
    match object.get(6..8) {
        Some(major) => Ok(u16::from_be_bytes([major[0], major[1]])
            .saturating_sub(44)
            .to_string()),
        None => Err(format!("{} has no java.lang.Object", image.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        for (text, expected) in [
            ("17.0.21", Some((17, 21))),
            ("17.0.15+6", Some((17, 15))),
            ("25", Some((25, 0))),
            ("21-ea", Some((21, 0))),
            ("1.8.0_392", Some((8, 392))),
            ("", None),
            ("x", None),
        ] {
            let found = Version::parse(text).map(|v| (v.feature, v.update));
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(
            release_value("A=\"1\"\nJAVA_VERSION=\"17.0.1\"\n", "JAVA_VERSION"),
            Some("17.0.1")
        );
    }

    /// Makes a folder that looks like a JDK.
    fn fake(root: &Path, name: &str, version: &str) -> PathBuf {
        let home = root.join(name);
        std::fs::create_dir_all(home.join("lib")).expect("temporary folder");
        std::fs::create_dir_all(home.join("bin")).expect("temporary folder");
        std::fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n"))
            .expect("temporary file");
        std::fs::write(home.join("lib/modules"), "").expect("temporary file");
        std::fs::write(home.join("bin/java"), "").expect("temporary file");
        home
    }

    #[test]
    fn prefers_17_passes_over_old_ones_and_says_what_to_install() {
        let root = std::env::temp_dir().join(format!("poldet-jdk-{}", std::process::id()));
        let old = fake(&root, "a8", "1.8.0_392");
        let mut places = Places {
            java_home: Some(old.clone()),
            path: vec![old.join("bin")],
            folders: vec![root.clone()],
        };
        let error = Jdk::find_in(&places).expect_err("only Java 8 there");
        assert!(
            error.contains("1.8.0_392") && error.contains("install") && !error.contains('\n'),
            "{error}"
        );
        fake(&root, "b21", "21.0.1");
        fake(&root, "c17", "17.0.2");
        fake(&root, "d26", "26");
        let found = Jdk::find_in(&places).expect("17 is there");
        assert_eq!((found.feature, found.max_class_version()), (17, 61));
        places.java_home = Some(root.join("b21"));
        assert_eq!(Jdk::find_in(&places).map(|j| j.feature), Ok(21));
        assert!(Jdk::at(&root.join("d26")).is_err_and(|e| e.contains("17 to 25")));
        assert!(Jdk::at(&root.join("nothing")).is_err());
        std::fs::remove_dir_all(root).expect("temporary folder");
    }
}
