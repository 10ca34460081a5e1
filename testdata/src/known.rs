//! The list of programs the VM is known not to get right yet: `area/Name reason…`, one per line.
//!
//! Those listed are run all the same, and one that passes must leave the list, so that the list stays true.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

const HEADING: &str = "\
# Programs the VM does not run as HotSpot does yet, each with the reason. A program that passes must be taken off.
# `cargo run -p poldet-testdata --bin jvm-diff -- --known` rewrites this list from a run.
";

/// The programs on the list, with the reason for each.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Known(BTreeMap<String, String>);

impl Known {
    pub fn read(file: &Path) -> io::Result<Known> {
        match fs::read_to_string(file) {
            Ok(text) => Ok(Known::parse(&text)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Known::default()),
            Err(e) => Err(e),
        }
    }

    pub fn parse(text: &str) -> Known {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        Known(
            lines
                .map(|line| line.split_once(' ').unwrap_or((line, "")))
                .map(owned)
                .collect(),
        )
    }

    pub fn reason(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(String::as_str)
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Puts `id` on the list; a reason that someone gave earlier stays.
    pub fn insert(&mut self, id: &str, reason: &str) {
        self.0.entry(id.to_owned()).or_insert_with(|| reason.to_owned());
    }

    pub fn remove(&mut self, id: &str) {
        self.0.remove(id);
    }

    pub fn write(&self, file: &Path) -> io::Result<()> {
        let lines: String = self
            .0
            .iter()
            .map(|(id, reason)| format!("{id} {reason}\n"))
            .collect();
        fs::write(file, format!("{HEADING}{lines}"))
    }
}

fn owned((id, reason): (&str, &str)) -> (String, String) {
    (id.to_owned(), reason.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        let known = Known::parse("# heading\n\nlang/A no floats\nio/B\n");
        assert_eq!(known.reason("lang/A"), Some("no floats"));
        assert_eq!(known.reason("io/B"), Some(""));
        assert_eq!(known.reason("io/C"), None);
        assert_eq!(known.ids().count(), 2);
    }
}
