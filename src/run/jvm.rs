//! The JVM options that builds pass to their tests.

use crate::cli::Run;
use crate::exec::{default_heap, size};
use poldet_vm::vm::Compile;

/// How the guest's VM is to be.
pub struct Conditions {
    pub properties: Vec<(String, String)>,
    pub module_options: Vec<(String, String)>,
    pub assertions: bool,
    pub max_heap: u64,
    pub stack: u64,
    /// Which methods are compiled: -Xint, -Xmixed or -Xcomp.
    pub compile: String,
    /// Options that mean nothing here.
    pub ignored: Vec<String>,
}

impl Conditions {
    pub fn of(options: &Run) -> Result<Conditions, String> {
        let mut conditions = Conditions {
            properties: Vec::new(),
            module_options: Vec::new(),
            assertions: true,
            max_heap: default_heap(),
            stack: 2 << 20,
            compile: "-Xmixed".into(),
            ignored: Vec::new(),
        };
        let mut counts = [0; 5];
        let words: Vec<&str> = options.jvm.iter().flat_map(|o| split(o)).collect();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            conditions.take(word, &mut words, &mut counts)?;
        }
        let dir = options
            .dir
            .as_deref()
            .map_or_else(std::env::current_dir, std::path::absolute);
        let dir = dir.map_err(|e| format!("no working folder: {e}"))?;
        let base = options.basedir.as_deref().unwrap_or(&dir);
        if !conditions.properties.iter().any(|(k, _)| k == "basedir") {
            conditions
                .properties
                .push(("basedir".into(), base.display().to_string()));
        }
        Ok(conditions)
    }

    fn take<'a>(
        &mut self,
        word: &str,
        more: &mut impl Iterator<Item = &'a str>,
        counts: &mut [usize; 5],
    ) -> Result<(), String> {
        const MODULES: [(&str, &str); 5] = [
            ("--add-opens", "addopens"),
            ("--add-exports", "addexports"),
            ("--add-modules", "addmods"),
            ("--add-reads", "addreads"),
            ("--enable-native-access", "enable.native.access"),
        ];
        for (i, (option, key)) in MODULES.iter().enumerate() {
            let value = match word.strip_prefix(option) {
                Some("") => more.next(),
                Some(rest) => rest.strip_prefix(['=', ' ']),
                None => None,
            };
            let value = value.map(|v| v.trim().to_owned());
            if let Some(value) = value {
                self.module_options
                    .push((format!("jdk.module.{key}.{}", counts[i]), value));
                counts[i] += 1;
                return Ok(());
            }
        }
        if let Some(property) = word.strip_prefix("-D") {
            let (key, value) = property.split_once('=').unwrap_or((property, ""));
            self.properties.push((key.into(), value.into()));
        } else if let Some(text) = word.strip_prefix("-Xmx") {
            self.max_heap = size(text)?;
        } else if let Some(text) = word.strip_prefix("-Xss") {
            self.stack = size(text)?;
        } else if word.parse::<Compile>().is_ok() {
            self.compile = word.into();
        } else if word == "-ea" || word == "-enableassertions" || word.starts_with("-ea:") {
            self.assertions = true;
        } else if word == "-da" || word == "-disableassertions" {
            self.assertions = false;
        } else {
            self.ignored.push(word.to_owned());
        }
        Ok(())
    }
}

/// One `--jvm` may hold several options, as Surefire's argLine does; a value may hold spaces.
fn split(text: &str) -> Vec<&str> {
    let mut options = Vec::new();
    let mut from = 0;
    for (i, _) in text.match_indices(" -") {
        options.push(text[from..i].trim());
        from = i + 1;
    }
    options.push(text[from..].trim());
    options.retain(|o| !o.is_empty());
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_options_in_one() {
        assert_eq!(split("-Da=b c -Xmx1g"), ["-Da=b c", "-Xmx1g"]);
        assert_eq!(split("--add-opens a/b=C -ea"), ["--add-opens a/b=C", "-ea"]);
    }
}
