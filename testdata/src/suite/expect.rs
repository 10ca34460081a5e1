//! Reads the `//~` expectations out of a Java source.
//!
//! ```java
//! public void adds() { //~ passed
//! public void adds(int n) { //~ [1] passed
//!     //~ [2] failed expected:<1> but was:<2>          of the same test
//! public class BrokenTest { //~ error no ground        the class as a whole
//!     //~ a.BTest#inherited passed                     a test that stands elsewhere
//! void shown() { //~ display: a name with spaces       the display name, beside the outcome
//! ```
//!
//! An expectation belongs to the method or class that its line declares, else to the one before it. The text after the
//! outcome must be part of the reported message. Several expectations of one test are its runs, in order.

use super::mark;

/// What one run of one test must come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    pub class: String,
    /// Empty when the class as a whole is meant.
    pub method: String,
    /// Empty when the test runs once.
    pub invocation: String,
    pub outcome: String,
    pub message: String,
    pub display: Option<String>,
}

impl Expectation {
    /// `Class#method[invocation]`, as in `suite.txt`.
    pub fn id(&self) -> String {
        id(&self.class, &self.method, &self.invocation)
    }
}

/// A test's name in messages and in `suite.txt`.
pub fn id(class: &str, method: &str, invocation: &str) -> String {
    let method = if method.is_empty() {
        String::new()
    } else {
        format!("#{method}")
    };
    let invocation = if invocation.is_empty() {
        String::new()
    } else {
        format!("[{invocation}]")
    };
    format!("{class}{method}{invocation}")
}

const OUTCOMES: &[&str] = &[
    "passed",
    "failed",
    "error",
    "skipped",
    "unsupported",
    "timed_out",
    "crashed",
];

/// All expectations of a source, in its order.
pub fn parse(text: &str) -> Result<Vec<Expectation>, String> {
    let mut found = Vec::new();
    let mut place = Place::default();
    let mut display = None;
    for (number, line) in text.lines().enumerate() {
        let (code, expected) = match line.split_once("//~") {
            Some((code, expected)) => (code, Some(expected.trim())),
            None => (line, None),
        };
        // What a test does to the shared state is read by `mark`.
        let expected = expected.filter(|e| !mark::is_mark(e));
        place.advance(code, expected.is_some());
        let Some(expected) = expected else { continue };
        if let Some(name) = expected.strip_prefix("display:") {
            display = Some(name.trim().to_owned());
            continue;
        }
        let mut one = read(expected, &place).map_err(|why| format!("line {}: {why}", number + 1))?;
        one.display = display.take();
        found.push(one);
    }
    Ok(found)
}

fn read(text: &str, place: &Place) -> Result<Expectation, String> {
    let (target, rest) = split_target(text)?;
    let (outcome, message) = rest.split_once(' ').unwrap_or((rest, ""));
    if !OUTCOMES.contains(&outcome) {
        return Err(format!("{outcome:?} is no outcome"));
    }
    let (name, invocation) = match target.split_once('[') {
        Some((name, invocation)) => (name, invocation.strip_suffix(']').unwrap_or(invocation)),
        None => (target, ""),
    };
    let (class, method) = if name.is_empty() {
        (place.class(), place.method.clone())
    } else {
        let (class, method) = name.split_once('#').unwrap_or((name, ""));
        (class.to_owned(), method.to_owned())
    };
    Ok(Expectation {
        class,
        method,
        invocation: invocation.to_owned(),
        outcome: outcome.to_owned(),
        message: message.trim().to_owned(),
        display: None,
    })
}

/// Parts `[2] failed …` or `a.B#c d[2] failed …` before the outcome; names may hold spaces.
fn split_target(text: &str) -> Result<(&str, &str), String> {
    let first = text.split(' ').next().unwrap_or("");
    if OUTCOMES.contains(&first) {
        return Ok(("", text));
    }
    let starts = OUTCOMES
        .iter()
        .filter_map(|outcome| text.find(&format!(" {outcome}")));
    match starts.min() {
        Some(at) => Ok((&text[..at], text[at..].trim_start())),
        None => Err(format!("no outcome in {text:?}")),
    }
}

/// Where in a source we are: enough of Java's grammar for sources that are formatted by one hand.
#[derive(Default)]
pub(super) struct Place {
    pub(super) package: String,
    /// The enclosing classes, each with the depth of braces that its body has.
    classes: Vec<(String, usize)>,
    depth: usize,
    /// The method last declared with an expectation; empty for a class.
    pub(super) method: String,
    in_comment: bool,
}

impl Place {
    pub(super) fn class(&self) -> String {
        let names: Vec<&str> = self.classes.iter().map(|(name, _)| name.as_str()).collect();
        let dot = if self.package.is_empty() { "" } else { "." };
        format!("{}{dot}{}", self.package, names.join("$"))
    }

    pub(super) fn advance(&mut self, line: &str, expects: bool) {
        let code = self.without_text(line);
        if let Some(package) = code.trim().strip_prefix("package ") {
            self.package = package.trim_end_matches(';').trim().to_owned();
        }
        let declared = declared_class(&code);
        for c in code.chars() {
            match c {
                '{' => self.depth += 1,
                '}' => {
                    self.depth = self.depth.saturating_sub(1);
                    while self.classes.last().is_some_and(|(_, depth)| *depth > self.depth) {
                        self.classes.pop();
                    }
                }
                _ => {}
            }
        }
        if let Some(name) = declared {
            // `{}` on the same line closed it already.
            if code.matches('{').count() > code.matches('}').count() {
                self.classes.push((name, self.depth));
                self.method.clear();
            }
        } else if expects && let Some(name) = declared_method(&code) {
            self.method = name;
        }
    }

    /// The line without comments and without what stands in quotes.
    fn without_text(&mut self, line: &str) -> String {
        let mut code = String::new();
        let mut chars = line.chars().peekable();
        let mut quote = None;
        while let Some(c) = chars.next() {
            if self.in_comment {
                if c == '*' && chars.peek() == Some(&'/') {
                    chars.next();
                    self.in_comment = false;
                }
            } else if let Some(q) = quote {
                if c == '\\' {
                    chars.next();
                } else if c == q {
                    quote = None;
                }
            } else {
                match (c, chars.peek()) {
                    ('/', Some('/')) => break,
                    ('/', Some('*')) => self.in_comment = true,
                    ('"' | '\'', _) => quote = Some(c),
                    _ => code.push(c),
                }
            }
        }
        code
    }
}

fn declared_class(code: &str) -> Option<String> {
    let mut words = code.split_whitespace();
    words
        .find(|w| matches!(*w, "class" | "interface" | "enum" | "record" | "@interface"))
        .and_then(|_| words.next())
        .map(|name| {
            name.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
}

fn declared_method(code: &str) -> Option<String> {
    let before = code.split_once('(')?.0;
    let name: String = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!name.is_empty()).then(|| name.chars().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<String> {
        parse(text)
            .unwrap()
            .iter()
            .map(|e| format!("{} {} {}", e.id(), e.outcome, e.message))
            .collect()
    }

    #[test]
    fn an_expectation_belongs_to_what_its_line_declares() {
        let text = "package p;\nclass A { //~ error x: y\n  @Test\n  void m() { //~ passed\n    call(\"}\");\n  }\n  static class B {\n    void n(int i) { //~ [1] passed\n      //~ [2] failed a b\n    }\n  }\n  void o() { //~ skipped\n  }\n  //~ q.C#r s passed\n}\n";
        let expected = [
            "p.A error x: y",
            "p.A#m passed ",
            "p.A$B#n[1] passed ",
            "p.A$B#n[2] failed a b",
            "p.A#o skipped ",
            "q.C#r s passed ",
        ];
        assert_eq!(ids(text), expected);
        assert!(parse("class A {\nvoid m() { //~ maybe\n").is_err());
    }

    #[test]
    fn a_display_name_goes_with_the_outcome_after_it() {
        let found = parse("class A {\nvoid m() { //~ display: an A\n//~ passed\n").unwrap();
        assert_eq!(found[0].display.as_deref(), Some("an A"));
        assert_eq!(found[0].id(), "A#m");
    }
}
