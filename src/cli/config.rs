//! `poldet.toml`: options by their long names, found upwards from the current folder.
//!
//! ```toml
//! [run]
//! exclude = ["*IT"]
//! fail-on = ["new-polluter"]
//! baseline = "poldet-baseline.json"
//!
//! [profile.nightly.run]
//! seed = 7
//! ```
//!
//! The options of the file stand before those of the command line, and an option that is given there counts alone.

use clap::{Command, CommandFactory};
use std::path::{Path, PathBuf};

const FILE: &str = "poldet.toml";

/// The command line with what the file says put in; one line about what is wrong with the file.
pub fn with_config(args: Vec<String>) -> Result<Vec<String>, String> {
    let at = args
        .iter()
        .skip(1)
        .position(|a| !a.starts_with('-'))
        .map(|i| i + 1);
    let Some(at) = at else { return Ok(args) };
    let main = super::Cli::command();
    let Some(command) = main.find_subcommand(&args[at]).filter(|c| !c.is_hide_set()) else {
        return Ok(args);
    };
    let (mut rest, profile, off) = own_options(&args[at + 1..])?;
    let file = if off { None } else { find() };
    let Some(file) = file else {
        if let Some(profile) = profile {
            return Err(format!("--profile '{profile}': there is no {FILE} here or above"));
        }
        let mut all = args[..=at].to_vec();
        all.append(&mut rest);
        return Ok(all);
    };
    let name = file.display().to_string();
    let text = std::fs::read_to_string(&file).map_err(|e| format!("cannot read '{name}': {e}"))?;
    let more = options(&text, command, profile.as_deref(), &rest, file.parent())
        .map_err(|e| format!("'{name}': {e}"))?;
    Ok([&args[..=at], &more, &rest].concat())
}

/// The options about the file itself, and those that are left.
fn own_options(args: &[String]) -> Result<(Vec<String>, Option<String>, bool), String> {
    let (mut rest, mut profile, mut off) = (Vec::new(), None, false);
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                rest.push(word.clone());
                rest.extend(words.cloned());
                break;
            }
            "--no-config" => off = true,
            "--profile" => {
                let value = words.next().ok_or("--profile takes the name of a profile")?;
                profile = Some(value.clone());
            }
            _ => match word.strip_prefix("--profile=") {
                Some(value) => profile = Some(value.to_owned()),
                None => rest.push(word.clone()),
            },
        }
    }
    Ok((rest, profile, off))
}

fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut files = here.ancestors().map(|d| d.join(FILE));
    files.find(|f| f.is_file())
}

/// The words that a file stands for, for one command.
fn options(
    text: &str,
    command: &Command,
    profile: Option<&str>,
    given: &[String],
    dir: Option<&Path>,
) -> Result<Vec<String>, String> {
    let file: toml::Table = text.parse().map_err(|e: toml::de::Error| {
        let line = e.span().map_or(1, |s| text[..s.start].lines().count().max(1));
        format!("line {line}: {}", e.message())
    })?;
    check_sections(&file)?;
    let section = |table: &toml::Table| match table.get(command.get_name()) {
        None => Ok(None),
        Some(toml::Value::Table(options)) => Ok(Some(options.clone())),
        Some(_) => Err(format!("'{}' is not a table", command.get_name())),
    };
    let mut merged = section(&file)?.unwrap_or_default();
    if let Some(profile) = profile {
        let table = file.get("profile").and_then(|p| p.get(profile));
        let Some(toml::Value::Table(table)) = table else {
            return Err(format!("no profile '{profile}'"));
        };
        merged.extend(section(table)?.unwrap_or_default());
    }
    let mut words = Vec::new();
    for (key, value) in &merged {
        let known = command.get_arguments().find(|a| names(a).contains(&key.as_str()));
        let Some(known) = known else {
            return Err(format!("poldet {} has no option '{key}'", command.get_name()));
        };
        let is_given = |word: &String| {
            let word = word.split('=').next().unwrap_or(word);
            names(known).iter().any(|n| word.strip_prefix("--") == Some(n))
        };
        if !given.iter().any(is_given) {
            let is_path = known
                .get_value_names()
                .is_some_and(|names| names.iter().any(|n| matches!(n.as_str(), "FILE" | "DIR")));
            let dir = dir.filter(|_| is_path);
            words.extend(option(key, value, dir)?);
        }
    }
    Ok(words)
}

/// The long names of an option.
fn names(arg: &clap::Arg) -> Vec<&str> {
    let aliases = arg.get_all_aliases().unwrap_or_default();
    arg.get_long().into_iter().chain(aliases).collect()
}

/// Every table is a command's, or `profile`.
fn check_sections(file: &toml::Table) -> Result<(), String> {
    let main = super::Cli::command();
    for key in file.keys().filter(|k| *k != "profile") {
        if main.find_subcommand(key).is_none() {
            return Err(format!("'{key}' is no command of poldet and no 'profile'"));
        }
    }
    Ok(())
}

/// Paths are relative to the folder of the file.
fn option(key: &str, value: &toml::Value, dir: Option<&Path>) -> Result<Vec<String>, String> {
    let path = |text: &str| match dir {
        Some(dir) => dir.join(text).display().to_string(),
        None => text.to_owned(),
    };
    Ok(match value {
        toml::Value::Boolean(true) => vec![format!("--{key}")],
        toml::Value::Boolean(false) => Vec::new(),
        toml::Value::String(text) => vec![format!("--{key}={}", path(text))],
        toml::Value::Integer(n) => vec![format!("--{key}={n}")],
        toml::Value::Float(n) => vec![format!("--{key}={n}")],
        toml::Value::Array(list) => {
            let mut words = Vec::new();
            for one in list {
                words.extend(option(key, one, dir)?);
            }
            words
        }
        _ => {
            return Err(format!(
                "'{key}' is neither a text, a number, true or false, nor a list of these"
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, profile: Option<&str>, given: &[&str]) -> Result<Vec<String>, String> {
        let main = crate::cli::Cli::command();
        let run = main.find_subcommand("run").expect("a command");
        let given: Vec<String> = given.iter().map(|g| (*g).to_owned()).collect();
        options(text, run, profile, &given, Some(Path::new("/p")))
    }

    #[test]
    fn options_of_the_file_stand_for_words() {
        let text = "[run]\nexclude = [\"*IT\", \"*Slow\"]\nstrict = true\nseed = 3\nhtml = \"out.html\"\n\
                    [profile.x.run]\nseed = 4\n";
        let base = [
            "--exclude=*IT",
            "--exclude=*Slow",
            "--strict",
            "--seed=3",
            "--html=/p/out.html",
        ];
        let mut found = words(text, None, &[]).expect("words");
        found.sort();
        let mut expected = base.map(str::to_owned).to_vec();
        expected.sort();
        assert_eq!(found, expected);
        assert!(
            words(text, Some("x"), &[])
                .expect("words")
                .contains(&"--seed=4".to_owned())
        );
        assert!(
            !words(text, None, &["--seed", "9"])
                .expect("words")
                .contains(&"--seed=3".to_owned())
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (text, says) in [
            ("[run]\nsed = 3\n", "no option 'sed'"),
            ("[rum]\n", "'rum' is no command"),
            ("[run\n", "line 1"),
            ("[run]\nseed = 2000-01-01\n", "'seed' is neither"),
        ] {
            let error = words(text, None, &[]).expect_err(text);
            assert!(error.contains(says), "{error}");
        }
        assert!(
            words("", Some("x"), &[])
                .expect_err("none")
                .contains("no profile 'x'")
        );
    }
}
