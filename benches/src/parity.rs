//! The real suites of scripts/parity.ini: which jars they need, and a folder that holds their resources.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// JUnit's platform for the suites that need it, as scripts/parity has it.
const CONSOLE: &str = "org.junit.platform:junit-platform-console-standalone:1.9.3";

/// A suite of the list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Suite {
    pub name: String,
    tests: String,
    class_path: Vec<String>,
    jvm: Vec<String>,
    exclude: Vec<String>,
    platform: bool,
}

/// The suites of a list, all or those of these names.
pub fn read(list: &Path, names: &[String]) -> Result<Vec<Suite>, String> {
    let text = fs::read_to_string(list).map_err(|e| format!("{}: {e}", list.display()))?;
    let mut suites = parse(&text);
    if let Some(unknown) = names.iter().find(|n| !suites.iter().any(|s| s.name == **n)) {
        return Err(format!("{} has no suite {unknown}", list.display()));
    }
    suites.retain(|s| names.is_empty() || names.contains(&s.name));
    Ok(suites)
}

/// A suite whose jars are there, in a folder of its own that is gone when this is dropped.
pub struct LaidOut {
    tests: PathBuf,
    path: String,
    folder: PathBuf,
    suite: Suite,
}

impl LaidOut {
    pub fn new(suite: &Suite) -> Result<LaidOut, String> {
        let tests = jar(&suite.tests)?;
        let mut path: Vec<String> = suite
            .class_path
            .iter()
            .map(|c| Ok(jar(c)?.display().to_string()))
            .collect::<Result<_, String>>()?;
        if suite.platform {
            path.push(jar(CONSOLE)?.display().to_string());
        }
        let folder = std::env::temp_dir().join(format!("poldet-bench-{}", std::process::id()));
        lay_out(&tests, &folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(LaidOut {
            tests,
            path: path.join(":"),
            folder,
            suite: suite.clone(),
        })
    }

    /// Adds the suite to a command of poldet's, which runs in its folder and writes a JSON document.
    pub fn add_to(&self, command: &mut Command) {
        command.arg(&self.tests).arg("--cp").arg(&self.path);
        command.args(["--format", "json"]).current_dir(&self.folder);
        command.args(self.suite.jvm.iter().map(|o| format!("--jvm={o}")));
        for pattern in &self.suite.exclude {
            command.args(["--exclude", pattern]);
        }
    }
}

impl Drop for LaidOut {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The file of `group:artifact:version[:classifier]`, where scripts/parity puts what it fetches.
fn jar(coordinates: &str) -> Result<PathBuf, String> {
    let parts: Vec<&str> = coordinates.split(':').collect();
    let [group, artifact, version, ..] = parts[..] else {
        return Err(format!("{coordinates} are no coordinates"));
    };
    let cache = match std::env::var_os("POLDET_CACHE") {
        Some(dir) => PathBuf::from(dir),
        None => PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/poldet"),
    };
    let name = format!("{}.jar", parts[1..].join("-"));
    let folder = cache.join("m2").join(group.replace('.', "/"));
    let file = folder.join(artifact).join(version).join(name);
    if file.is_file() {
        Ok(file)
    } else {
        Err(format!("no {}: scripts/parity fetches it", file.display()))
    }
}

/// The tests' resources below src/test/resources, as the library's own build has them.
fn lay_out(tests: &Path, folder: &Path) -> io::Result<()> {
    let resources = folder.join("src/test/resources");
    fs::create_dir_all(&resources)?;
    let mut archive = zip::ZipArchive::new(File::open(tests)?)?;
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i)?;
        let name = entry.name().to_owned();
        let Some(inside) = entry.enclosed_name() else {
            continue;
        };
        if entry.is_file() && !name.ends_with(".class") && !name.starts_with("META-INF/") {
            let file = resources.join(inside);
            fs::create_dir_all(file.parent().unwrap_or(&resources))?;
            io::copy(&mut entry, &mut File::create(file)?)?;
        }
    }
    Ok(())
}

/// Reads the list: sections of `key = value`, with more values on lines that begin with blanks.
fn parse(text: &str) -> Vec<Suite> {
    let mut suites: Vec<Suite> = Vec::new();
    let mut all = Suite::default();
    let mut key = String::new();
    let mut default = true;
    for line in text.lines() {
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        if let Some(name) = words.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            default = name == "DEFAULT";
            if !default {
                suites.push(Suite {
                    name: name.to_owned(),
                    ..all.clone()
                });
            }
            continue;
        }
        let suite = if default {
            &mut all
        } else {
            suites.last_mut().unwrap_or(&mut all)
        };
        let (begins, value) = match line.split_once('=') {
            Some((name, value)) if !line.starts_with(char::is_whitespace) => {
                key = name.trim().to_owned();
                (true, value.trim())
            }
            _ => (false, words),
        };
        take(suite, &key, begins, value);
    }
    suites
}

fn take(suite: &mut Suite, key: &str, begins: bool, value: &str) {
    let list = match key {
        "junit" => {
            suite.platform = value == "5";
            return;
        }
        "tests" => {
            suite.tests = value.to_owned();
            return;
        }
        "classpath" => &mut suite.class_path,
        "jvm" => &mut suite.jvm,
        "exclude" => &mut suite.exclude,
        _ => return,
    };
    if begins {
        list.clear();
    }
    let mut words = value.split_whitespace();
    while let Some(word) = words.next() {
        // `--add-opens x` is one option.
        if word.starts_with("--add-") && !word.contains('=') {
            list.push(format!("{word}={}", words.next().unwrap_or_default()));
        } else {
            list.push(word.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read() {
        let text = "# all\n[DEFAULT]\njvm = -Xmx1g\n\n[a]\njunit = 4\ntests = g:a:1:tests\nclasspath =\n    g:b:2\n    g:c:3\n\n\
                    [b]\njunit = 5\ntests = g:b:1\njvm = -Xmx2g --add-opens m/p=ALL --add-exports x\n";
        let suites = parse(text);
        assert_eq!(suites.len(), 2);
        assert_eq!(suites[0].class_path, ["g:b:2", "g:c:3"]);
        assert_eq!(suites[0].jvm, ["-Xmx1g"]);
        assert_eq!(
            suites[1].jvm,
            ["-Xmx2g", "--add-opens=m/p=ALL", "--add-exports=x"]
        );
        assert!(suites[1].platform && !suites[0].platform);
    }

    #[test]
    fn the_real_list_is_read() {
        let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/parity.ini");
        let suites = parse(&fs::read_to_string(list).unwrap_or_default());
        assert!(suites.len() >= 10);
        assert!(
            suites
                .iter()
                .all(|s| !s.tests.is_empty() && !s.class_path.is_empty())
        );
    }
}
