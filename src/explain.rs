//! `poldet explain`: the whole story of one test from a saved run, and a paragraph for a bug report.

use crate::cli::Explain;
use crate::exit;
use crate::report::is_machinery;
use crate::report::paint::{BOLD, DIM, MAGENTA, paint};
use crate::report::pollution::{change, file_change_text, fixture_name, frame_text, rank, remarks};
use crate::report::saved;
use crate::run::command::shell;
use poldet_junit_shim::select::Selector;
use poldet_records::{Document, FileChange, Finding, Frame, Kind, Label, Origin, Outcome, Pollution, Record};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

pub fn explain(options: &Explain) -> Result<i32, String> {
    let saved = saved::read(options.from.as_deref())?;
    let wanted = find(&saved, &options.test)?;
    let colour = options.color.on(std::io::stdout().is_terminal());
    let mut text = String::new();
    for (i, test) in wanted.iter().enumerate() {
        if i > 0 {
            text.push_str("\n\n");
        }
        let mut story = Story {
            saved: &saved,
            test,
            colour,
            text: &mut text,
        };
        story.tell();
    }
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {e}")),
        _ => Ok(exit::COMPLETE),
    }
}

/// The tests a name stands for; an error suggests names that are near.
fn find<'a>(saved: &'a Document, text: &str) -> Result<Vec<&'a Record>, String> {
    let is_class = |c: &str| saved.tests.iter().any(|t| t.test.class == c);
    let selector = Selector::parse(text, is_class)?;
    let mut found: Vec<&Record> = saved.tests.iter().filter(|t| selector.matches(&t.test)).collect();
    if found.is_empty() {
        // JUnit's own names, and a method's name alone where only one class has it.
        let alone = |t: &&Record| {
            let name = &t.test;
            name.id == text || name.display == text || name.method.as_deref() == Some(text)
        };
        found = saved.tests.iter().filter(alone).collect();
        let class = found.first().map(|t| &t.test.class);
        if found.iter().any(|t| Some(&t.test.class) != class) {
            let names: Vec<String> = found.iter().map(|t| t.test.text()).collect();
            return Err(format!("{text} is in several classes: {}", names.join(", ")));
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let near = near(text, saved.tests.iter().map(|t| t.test.text()));
    let hint = match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    };
    Err(format!(
        "no test {text} in the saved run of {}{hint}",
        saved.head.suite
    ))
}

/// Up to three names that differ little from what was typed, or whose method does.
fn near(text: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let typed = text.to_lowercase().replace('#', ".");
    let method = typed.rsplit('.').next().unwrap_or(&typed).to_owned();
    let mut scored: Vec<(usize, String)> = names
        .filter_map(|name| {
            let whole = name.to_lowercase().replace('#', ".");
            let own = whole.rsplit('.').next().unwrap_or(&whole);
            let by_method = 2 + distance(&method, own);
            let score = distance(&typed, &whole).min(by_method);
            (score <= 2 + method.chars().count() / 3).then_some((score, name))
        })
        .collect();
    scored.sort();
    scored.dedup();
    scored.into_iter().take(3).map(|(_, n)| n).collect()
}

/// How many characters must be changed, put in or taken out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let change = corner + usize::from(ca != *cb);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

struct Story<'a> {
    saved: &'a Document,
    test: &'a Record,
    colour: bool,
    text: &'a mut String,
}

impl Story<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn heading(&mut self, text: &str) {
        let text = paint(text, BOLD, self.colour);
        self.line(&format!("\n{text}"));
    }

    fn tell(&mut self) {
        let test = self.test;
        let name = paint(&test.test.text(), BOLD, self.colour);
        let outcome = test.outcome.text();
        let verdict = match (&self.saved.head.capture, test.is_polluter()) {
            (None, _) => "; the shared state was not compared",
            (_, true) => ", and pollutes the shared state",
            (_, false) => ", and leaves the shared state as it was",
        };
        self.line(&format!(
            "{name}: {outcome}{verdict} ({} ms, JDK {})",
            test.cost.millis(),
            self.saved.head.jdk
        ));
        if test.outcome != Outcome::Passed {
            self.problem();
        }
        let strict = self.saved.is_strict();
        self.findings("Polluted", test, |f| f.counts(strict));
        self.files();
        self.findings("Internal, not counted: no public API shows it", test, |f| {
            f.ignored_by.is_none() && !f.counts(strict)
        });
        self.findings("Hidden by ignore rules", test, |f| f.ignored_by.is_some());
        self.hidden();
        self.fixtures();
        if test.is_polluter() {
            self.bug_report(strict);
        }
    }

    fn problem(&mut self) {
        let message = self.test.message.as_deref().unwrap_or("");
        if let Some(exception) = &self.test.exception {
            self.line(&format!("    {exception}: {message}"));
        } else if !message.is_empty() {
            self.line(&format!("    {message}"));
        }
        let own = |l: &&String| l.trim_start().starts_with("at ") && !is_machinery_line(l);
        let frames: Vec<&String> = self.test.stack.iter().filter(own).collect();
        for frame in frames {
            self.line(&format!("        {}", frame.trim()));
        }
    }

    fn findings(&mut self, title: &str, test: &Record, wanted: impl Fn(&Finding) -> bool) {
        let mut found: Vec<&Finding> = pollutions(test).iter().filter(|f| wanted(f)).collect();
        if found.is_empty() {
            return;
        }
        found.sort_by_key(|f| rank(f));
        self.heading(&format!("{title}: {}", found.len()));
        for (i, finding) in found.iter().enumerate() {
            self.finding(i + 1, finding);
        }
    }

    fn finding(&mut self, number: usize, finding: &Finding) {
        let place = paint(&finding.place.to_string(), MAGENTA, self.colour);
        self.line(&format!("\n  {number}. {place}{}", remarks(finding)));
        self.line(&format!("     {}", change(finding)));
        let whose = match finding.origin {
            Origin::Suite => "the suite's own",
            Origin::Library => "a library's",
            Origin::Jdk => "the class library's",
        };
        self.line(&format!("     {whose} {}", meaning(finding.label)));
        self.stack(&finding.written_at);
    }

    fn stack(&mut self, frames: &[Frame]) {
        if frames.is_empty() {
            return;
        }
        self.line("     written at");
        for frame in frames {
            let code = if is_machinery(&frame.class) { DIM } else { "0" };
            let text = paint(&frame_text(frame), code, self.colour);
            self.line(&format!("         {text}"));
        }
    }

    fn files(&mut self) {
        let files = self.test.state.as_ref().map(|s| &s.files);
        let Some(files) = files.filter(|f| !f.is_empty()) else {
            return;
        };
        self.heading(&format!("Files: {}", files.len()));
        for file in files {
            let path = paint(&file.path, MAGENTA, self.colour);
            self.line(&format!("\n  {} {path}", file_change_text(file.change)));
            self.stack(&file.written_at);
        }
    }

    fn hidden(&mut self) {
        let hidden = self.test.state.as_ref().map(|s| &s.hidden);
        let Some(hidden) = hidden.filter(|h| !h.is_empty()) else {
            return;
        };
        self.heading("Changes hidden by ignore rules");
        let rules = self.saved.head.capture.as_ref().map_or(&[][..], |c| &c.rules);
        for (id, count) in hidden {
            let reason = rules.iter().find(|r| r.id == *id).map_or("", |r| &r.reason);
            self.line(&format!("  {id} {count}: {reason}"));
        }
    }

    /// What the fixtures of its class did; nobody should take it for the test's.
    fn fixtures(&mut self) {
        let strict = self.saved.is_strict();
        let own = |c: &Option<String>| c.as_deref() == Some(self.test.test.class.as_str());
        let all = self.saved.fixtures().iter().filter(|f| own(&f.class));
        let states: Vec<&Pollution> = all.map(|f| &f.state).filter(|s| s.polluter).collect();
        if states.is_empty() {
            return;
        }
        self.heading(&format!(
            "Not this test's: what {} did",
            fixture_name(Some(&self.test.test.class))
        ));
        for state in states {
            for (i, finding) in state.pollutions.iter().filter(|f| f.counts(strict)).enumerate() {
                self.finding(i + 1, finding);
            }
            for file in &state.files {
                self.line(&format!("\n  {} {}", file_change_text(file.change), file.path));
            }
        }
    }

    fn bug_report(&mut self, strict: bool) {
        self.heading("For a bug report");
        let paragraph = paragraph(self.test, strict);
        self.line("");
        for line in wrap(&paragraph, 100) {
            self.line(&line);
        }
        let mut words = self.saved.head.command.clone();
        if words.is_empty() {
            return;
        }
        words.extend(["--test".into(), self.test.test.text()]);
        self.line("\n    poldet, which runs the tests and compares the shared state before and after each, shows it:\n");
        self.line(&format!("    {}", shell(&words)));
    }
}

/// What a test did to the shared state, in the order it is saved.
fn pollutions(test: &Record) -> &[Finding] {
    test.state.as_ref().map_or(&[], |s| &s.pollutions)
}

fn is_machinery_line(line: &str) -> bool {
    let frame = line.trim_start().trim_start_matches("at ");
    let class = frame.rsplit_once('/').map_or(frame, |(_, c)| c);
    is_machinery(class)
}

fn meaning(label: Label) -> String {
    let (what, why) = match label {
        Label::State => ("state", "tests that run later see the new value"),
        Label::CollectionGrew => ("collection", "tests that run later see what was added"),
        Label::Configuration => (
            "configuration",
            "all that runs later in this JVM is configured differently",
        ),
        Label::Counter => ("counter", "only tests that look at the number itself notice"),
        Label::Random => (
            "random generator",
            "only tests that expect certain numbers notice",
        ),
        Label::LazyInitialisation => (
            "lazily made state",
            "made at its first use and kept; harmless unless a test asks whether it is there",
        ),
        Label::CacheOrPool => (
            "cache or pool",
            "kept to be used again; harmless unless what is kept is wrong for others",
        ),
    };
    format!("{what}: {why}")
}

/// The findings as sentences.
fn paragraph(test: &Record, strict: bool) -> String {
    let name = test.test.text();
    let mut text = format!("The test {name} leaves shared state behind.");
    let mut counted: Vec<&Finding> = pollutions(test).iter().filter(|f| f.counts(strict)).collect();
    counted.sort_by_key(|f| rank(f));
    const SHOWN: usize = 4;
    for finding in counted.iter().take(SHOWN) {
        let place = &finding.place;
        let (before, after) = (&finding.before, &finding.after);
        let _ = match finding.kind {
            Kind::Changed => write!(text, " It changes {place} from {before} to {after}"),
            Kind::Added => write!(text, " It adds {after} at {place}"),
            Kind::Removed => write!(text, " It removes {before} from {place}"),
            Kind::Replaced => write!(text, " It replaces {before} at {place} by {after}"),
            Kind::Resized => write!(text, " It resizes {place} from {before} to {after}"),
        };
        if let Some(frame) = user_frame(&finding.written_at) {
            let _ = write!(text, ", in {}", frame_text(frame));
        }
        text.push('.');
    }
    if counted.len() > SHOWN {
        let _ = write!(text, " There are {} more such places.", counted.len() - SHOWN);
    }
    for file in test.state.iter().flat_map(|s| &s.files).take(SHOWN) {
        let verb = match file.change {
            FileChange::Created => "It leaves the new file",
            FileChange::Changed => "It changes the file",
            FileChange::Removed => "It removes the file",
        };
        let _ = write!(text, " {verb} {}.", file.path);
    }
    text.push_str(
        " It does not put this back, so tests that run after it in the same JVM can pass or fail depending on whether it ran \
         before them. The test should restore the old state when it ends, for example in @After or @AfterEach.",
    );
    text
}

/// Where a reader of the bug should look: outside of the class library and JUnit.
fn user_frame(frames: &[Frame]) -> Option<&Frame> {
    frames
        .iter()
        .find(|f| !is_machinery(&f.class))
        .or_else(|| frames.first())
}

/// Lines of at most so many characters, indented, where words allow.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from("   ");
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > width && line.trim() != "" {
            lines.push(std::mem::replace(&mut line, String::from("   ")));
        }
        line.push(' ');
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, n) in [("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0)] {
            assert_eq!(distance(a, b), n);
        }
    }

    #[test]
    fn typos_find_their_test() {
        let names = [
            "shop.CartTest#totals",
            "shop.CartTest#sameGoodsAddUp",
            "x.Other#z",
        ];
        let near = |text| near(text, names.iter().map(|n| (*n).to_owned()));
        assert_eq!(near("shop.CartTest#total"), ["shop.CartTest#totals"]);
        assert_eq!(near("CartTest.totols"), ["shop.CartTest#totals"]);
        assert!(near("completely.Different#thing").is_empty());
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("aa bb cc", 9), ["    aa bb", "    cc"]);
    }
}
