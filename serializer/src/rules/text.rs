//! Files of rules: blocks of `[heading]` and `key: value` lines, and `disable: ID` between them.
//!
//! `[id]` opens an ignore rule, `[class NAME]` what is known of a class, `[label ID]` how findings are labelled. The last
//! two are described in `knowledge`. All three have a reason, and are replaced and disabled in the same way.

use super::{Rule, Term};
use crate::knowledge::{self, Fact, Sign};

/// Everything that is data about what is compared and how: what holds unless the user says otherwise, and what was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The ignore rules.
    pub ignore: Vec<Rule>,
    /// What is known of classes and names; the ids are `class NAME` and `label ID`.
    pub known: Vec<Rule>,
}

/// The texts that are part of the program.
const BUILTIN: [(&str, &str); 5] = [
    ("rules/builtin.txt", super::BUILTIN),
    ("knowledge/collections.txt", knowledge::COLLECTIONS),
    ("knowledge/fields.txt", knowledge::FIELDS),
    ("knowledge/captions.txt", knowledge::CAPTIONS),
    ("knowledge/labels.txt", knowledge::LABELS),
];

impl Book {
    /// What holds unless the user says otherwise. An error is poldet's own.
    pub fn builtin() -> Result<Book, String> {
        let mut book = Book::default();
        for (file, text) in BUILTIN {
            book.add(text).map_err(|e| format!("{file}: {e}"))?;
        }
        Ok(book)
    }

    /// Takes over the blocks of a text; an error names the line.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        let mut open: Option<Block> = None;
        for (number, line) in text.lines().enumerate() {
            let fail = |what: String| format!("line {}: {what}", number + 1);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                self.close(open.take())?;
                open = Some(Block::new(number + 1, heading).map_err(fail)?);
                continue;
            }
            let (key, value) = line
                .split_once(':')
                .ok_or_else(|| fail(format!("neither [id] nor key: value: {line}")))?;
            match (key.trim(), value.trim()) {
                ("disable", id) => {
                    self.close(open.take())?;
                    self.disable(id).map_err(fail)?;
                }
                (key, value) => match &mut open {
                    Some(block) => block.line(key, value).map_err(fail)?,
                    None => return Err(fail("no [id] before this".into())),
                },
            }
        }
        self.close(open)
    }

    /// One more ignore rule.
    pub fn push(&mut self, rule: Rule) {
        self.ignore.push(rule);
    }

    /// Drops a rule; the error names those there are.
    pub fn disable(&mut self, id: &str) -> Result<(), String> {
        let before = self.ignore.len() + self.known.len();
        self.ignore.retain(|r| r.id != id);
        self.known.retain(|r| r.id != id);
        if self.ignore.len() + self.known.len() < before {
            return Ok(());
        }
        let ids: Vec<&str> = self.ignore.iter().map(|r| r.id.as_str()).collect();
        Err(format!("no ignore rule '{id}'; there are {}", ids.join(", ")))
    }

    fn close(&mut self, block: Option<Block>) -> Result<(), String> {
        let Some(Block { number, kind, rule }) = block else {
            return Ok(());
        };
        let fail = |what: &str| Err(format!("line {number}: rule {} has no {what}", rule.id));
        if rule.pattern.is_empty() {
            return fail("pattern");
        }
        if rule.reason.is_empty() {
            return fail("reason");
        }
        let list = match kind {
            Heading::Ignore => &mut self.ignore,
            Heading::Class | Heading::Label => &mut self.known,
        };
        match list.iter_mut().find(|r| r.id == rule.id) {
            Some(old) => *old = rule,
            None => list.push(rule),
        }
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Heading {
    Ignore,
    Class,
    Label,
}

/// A block that is being read, and the line of its heading.
struct Block {
    number: usize,
    kind: Heading,
    rule: Rule,
}

impl Block {
    fn new(number: usize, heading: &str) -> Result<Block, String> {
        let words: Vec<&str> = heading.split_whitespace().collect();
        let (kind, id) = match words[..] {
            ["class", id] => (Heading::Class, id),
            ["label", id] => (Heading::Label, id),
            [id] => (Heading::Ignore, id),
            _ => return Err(format!("'{}' cannot be the id of a rule", heading.trim())),
        };
        if id.contains(',') {
            return Err(format!("'{id}' cannot be the id of a rule"));
        }
        let rule = Rule {
            id: words.join(" "),
            pattern: String::new(),
            reason: String::new(),
        };
        Ok(Block { number, kind, rule })
    }

    fn line(&mut self, key: &str, value: &str) -> Result<(), String> {
        if key == "reason" {
            join(&mut self.rule.reason, " ", value);
            return Ok(());
        }
        let term = format!("{key}: {value}");
        match self.kind {
            Heading::Ignore => Term::parse(&term).map(drop)?,
            Heading::Class => Fact::parse(&term).map(drop)?,
            Heading::Label => Sign::parse(&term).map(drop)?,
        }
        join(&mut self.rule.pattern, "; ", &term);
        Ok(())
    }
}

fn join(text: &mut String, between: &str, more: &str) {
    if !text.is_empty() {
        text.push_str(between);
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_by_line() {
        for (text, says) in [
            ("root: a", "line 1: no [id]"),
            ("[a]\nreason: x\n", "line 1: rule a has no pattern"),
            ("[a]\nroot: x\n", "line 1: rule a has no reason"),
            ("[a]\nrot: x\n", "line 2: 'rot: x' is none of"),
            ("[a]\nhello\n", "line 2: neither"),
            ("\n[]\n", "line 2: ''"),
            ("[a]\nonly: all\n", "line 2: 'only: all' is none of"),
            ("disable: nothing", "line 1: no ignore rule 'nothing'"),
            (
                "[class a.B]\ncontents: elements x\n",
                "line 2: 'contents: elements x'",
            ),
            ("[class a.B]\nroot: x\n", "line 2: 'root: x' is none of"),
            ("[label a]\nword: x y\n", "line 2: 'word: x y'"),
            ("[kind a]\n", "line 1: 'kind a' cannot be the id of a rule"),
        ] {
            let error = Book::default().add(text).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn no_id_is_used_twice() {
        // Of two blocks with one id the first would be lost.
        let book = Book::builtin().unwrap();
        let blocks = BUILTIN
            .iter()
            .flat_map(|(_, text)| text.lines())
            .filter(|l| l.starts_with('['));
        assert_eq!(blocks.count(), book.ignore.len() + book.known.len());
        for rule in book.ignore.iter().chain(&book.known) {
            assert!(rule.reason.ends_with('.'), "{}: {}", rule.id, rule.reason);
        }
    }

    #[test]
    fn knowledge_is_replaced_and_disabled_like_rules() {
        let mut book = Book::builtin().unwrap();
        let count = book.known.len();
        book.add("[class java.io.File]\nreason: r\ncaption: other\n\n[class a.B]\nreason: r\npart: node\n")
            .unwrap();
        assert_eq!(book.known.len(), count + 1);
        let file = book.known.iter().find(|r| r.id == "class java.io.File").unwrap();
        assert_eq!(file.pattern, "caption: other");
        book.disable("class java.io.File").unwrap();
        book.add("disable: class a.B").unwrap();
        assert_eq!(book.known.len(), count - 1);
    }
}
