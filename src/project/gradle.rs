//! Gradle: an init script adds a task to every project that says what its task `test` would use.

use super::tool;
use super::{Module, TestConfig};
use std::path::{Path, PathBuf};

const KEPT: &str = ".gradle/poldet/modules.txt";
const INIT: &str = include_str!("init.gradle");
/// Lines of the task begin with this: Gradle and its plugins print as well.
const MARK: &str = "poldet\t";

pub fn modules(dir: &Path) -> Result<Vec<Module>, String> {
    let wanted = |name: &str| {
        name.ends_with(".gradle")
            || name.ends_with(".gradle.kts")
            || name == "gradle.properties"
            || name.ends_with(".toml")
    };
    let digest = tool::digest(&tool::build_files(dir, &wanted));
    let kept = dir.join(KEPT);
    tool::answered(
        &kept,
        &digest,
        || ask(dir),
        |answer| {
            let mut modules = read(answer);
            modules.retain(|m| !m.test_classes.is_empty());
            Ok(modules)
        },
    )
}

fn ask(dir: &Path) -> Result<String, String> {
    let program = tool::program(dir, "gradlew", "gradle");
    let script = std::env::temp_dir().join(format!("poldet-{}.init.gradle", std::process::id()));
    std::fs::write(&script, INIT).map_err(|e| format!("cannot write '{}': {e}", script.display()))?;
    let args = [
        "-q".to_owned(),
        // The task reads its project while it runs, which a configuration cache forbids; older Gradle ignores the properties.
        "-Dorg.gradle.configuration-cache=false".to_owned(),
        "-Dorg.gradle.unsafe.configuration-cache=false".to_owned(),
        "--init-script".to_owned(),
        script.display().to_string(),
        "poldetModule".to_owned(),
    ];
    let answer = tool::ask(dir, &program, "--offline", &args);
    let _ = std::fs::remove_file(&script);
    let answer = answer?;
    let lines: Vec<&str> = answer.lines().filter(|l| l.starts_with(MARK)).collect();
    Ok(lines.join("\n"))
}

/// Lines of `poldet TAB key TAB value`; a new module begins with `dir`.
fn read(answer: &str) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    for line in answer.lines() {
        let mut parts = line.trim_end().splitn(3, '\t').skip(1);
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else {
            continue;
        };
        if key == "dir" {
            modules.push(Module {
                dir: PathBuf::from(value),
                ..Module::default()
            });
        } else if let Some(module) = modules.last_mut() {
            take(module, key, value);
        }
    }
    for module in &mut modules {
        let own: Vec<PathBuf> = [&module.test_classes[..], &module.classes].concat();
        module.class_path.retain(|p| !own.contains(p));
    }
    modules
}

fn take(module: &mut Module, key: &str, value: &str) {
    let TestConfig {
        includes,
        excludes,
        jvm,
        properties,
        env,
        working_dir,
        warnings: _,
    } = &mut module.config;
    let path = PathBuf::from(value);
    let pair = || match value.split_once('=') {
        Some((k, v)) => (k.to_owned(), v.to_owned()),
        None => (value.to_owned(), String::new()),
    };
    match key {
        "tests" if path.is_dir() => module.test_classes.push(path),
        "classes" if path.is_dir() => module.classes.push(path),
        "path" if path.exists() => module.class_path.push(path),
        "sources" if path.is_dir() => module.sources.push(path),
        "include" => includes.push(value.to_owned()),
        "exclude" => excludes.push(value.to_owned()),
        "jvm" => jvm.push(value.to_owned()),
        "property" => properties.push(pair()),
        "env" => env.push(pair()),
        "working-dir" => *working_dir = Some(path),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_read_line_by_line() {
        let answer = "poldet\tdir\t/p\npoldet\ttests\t/\npoldet\tclasses\t/nowhere\npoldet\tpath\t/\n\
                      poldet\tproperty\ta=b=c\npoldet\tjvm\t-Xmx1g\npoldet\tdir\t/q\npoldet\tinclude\t**/*IT*";
        let modules = read(answer);
        assert_eq!(modules.len(), 2);
        assert_eq!(modules[0].test_classes, [PathBuf::from("/")]);
        assert!(modules[0].class_path.is_empty() && modules[0].classes.is_empty());
        assert_eq!(modules[0].config.properties, [("a".to_owned(), "b=c".to_owned())]);
        assert_eq!(modules[1].config.includes, ["**/*IT*"]);
    }
}
