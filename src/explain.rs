//! `poldet explain`: explains one test's findings from a saved run, and a paragraph for a bug report.

use crate::cli::Explain;
use crate::exit;
use crate::report::is_machinery;
use crate::report::paint::{BOLD, DIM, MAGENTA, paint};
use crate::report::pollution::{
    change, count, file_change_text, fixture_name, frame_text, rank, remarks, threads_text, user_frame,
};
use crate::report::saved;
use crate::report::victims;
use crate::run::command::reproduce;
use crate::run::names::{did_you_mean, near};
use poldet_junit_shim::select::Selector;
use poldet_records::{
    Document, FileChange, Finding, Frame, Kind, Label, Origin, Outcome, Place, Pollution, Record,
};
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
            let full = name.text();
            let short = |part: &str| full.strip_suffix(part).is_some_and(|b| b.ends_with(['.', '$']));
            let dotted = text.rsplit_once('.').map(|(c, m)| format!("{c}#{m}"));
            name.id == text
                || name.display == text
                || name.method.as_deref() == Some(text)
                || short(text)
                || dotted.is_some_and(|d| short(&d))
                || name
                    .class
                    .strip_suffix(text)
                    .is_some_and(|b| b.ends_with(['.', '$']))
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
    Err(format!(
        "no test '{text}' in the saved run of {}{}",
        saved.head.suite,
        did_you_mean(&near)
    ))
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
            _ if matches!(test.outcome, Outcome::Skipped) => "; it did not run",
            _ if !matches!(test.outcome, Outcome::Passed | Outcome::Failed | Outcome::Error) => {
                "; the shared state could not be compared"
            }
            _ if test.is_cleaner() => ", and restores what other tests changed (a cleaner)",
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
        self.link();
        self.access();
        let strict = self.saved.is_strict();
        self.findings("Polluted", test, |f| f.counts(strict));
        self.findings("Restored", test, |f| {
            f.ignored_by.is_none() && f.restores.is_some()
        });
        self.files();
        self.threads();
        self.findings("Internal, not counted: no public API shows it", test, |f| {
            f.ignored_by.is_none() && f.restores.is_none() && f.folded.is_none() && !f.counts(strict)
        });
        self.findings("Folded, not counted", test, |f| {
            f.ignored_by.is_none() && f.restores.is_none() && f.folded.is_some()
        });
        self.findings("Hidden by ignore rules", test, |f| f.ignored_by.is_some());
        self.hidden();
        self.fixtures();
        if test.is_polluter() {
            self.bug_report(strict);
        } else if test.is_cleaner() {
            self.heading("Reproduce");
            self.command();
        }
    }

    /// Why it failed, where an earlier test is to blame.
    fn link(&mut self) {
        let test = self.test;
        if let Some(link) = &test.polluted_by {
            self.line(&format!(
                "    passes alone, fails after {}",
                link.tests.join(", ")
            ));
            for place in &link.state {
                self.line(&format!(
                    "    it reads {}{}: {} → {}",
                    place.root, place.path, place.before, place.after
                ));
            }
            self.line(&format!("    {}", link.reproduce));
        } else if let Some(text) = victims::alone_text(test) {
            self.line(&format!("    {text}"));
        }
    }

    /// What it reads that others change.
    fn access(&mut self) {
        let Some(access) = &self.test.access else { return };
        let lines = victims::read_lines(access);
        if !lines.is_empty() {
            self.heading(&format!("Reads what other tests change: {}", lines.len()));
        }
        for line in lines {
            self.line(&format!("  reads {line}"));
        }
        let uses = victims::uses(access);
        if !uses.is_empty() {
            self.line(&format!("  It also uses {}.", uses.join(", ")));
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
            Origin::Jdk => "the JDK's",
        };
        self.line(&format!("     {whose} {}", meaning(finding.label)));
        for place in &finding.also {
            self.line(&format!("     also {place}"));
        }
        let impact: Vec<_> = finding.impact.iter().collect();
        if let Some(line) = victims::impact_line(&impact) {
            self.line(&format!("     {line}"));
        }
        if let Some(who) = &finding.restores {
            self.line(&format!("     as it was before {who}"));
        }
        if let Some(who) = &finding.restored_by {
            self.line(&format!("     restored later by {who}"));
        }
        self.stack("written", &finding.written_at);
    }

    fn stack(&mut self, deed: &str, frames: &[Frame]) {
        if frames.is_empty() {
            return;
        }
        self.line(&format!("     {deed} at"));
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
            if let Some(rule) = &file.ignored_by {
                self.line(&format!("     hidden by the rule {rule}"));
            }
            if let Some(who) = &file.restores {
                self.line(&format!("     as it was before {who}"));
            }
            self.stack("written", &file.written_at);
        }
    }

    fn threads(&mut self) {
        let threads = self.test.state.as_ref().map(|s| &s.threads);
        let Some(threads) = threads.filter(|t| !t.is_empty()) else {
            return;
        };
        let all: usize = threads.iter().map(|t| t.count).sum();
        self.heading(&format!("Threads left running: {all}"));
        for thread in threads {
            let name = paint(&format!("\"{}\"", thread.name), MAGENTA, self.colour);
            let daemon = if thread.daemon { ", daemon" } else { "" };
            let more = match thread.count - 1 {
                0 => String::new(),
                n => format!(" and {} of its kind", count(n, "more thread")),
            };
            self.line(&format!("\n  {name} ({}{daemon}){more}", thread.class));
            self.stack("started", &thread.started_at);
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
            "Not this test's: changes by {}",
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
        self.line("\n    Reproduce with poldet, which compares the shared state before and after each test:");
        self.command();
    }

    /// The command that shows it again.
    fn command(&mut self) {
        let words = &self.saved.head.command;
        if !words.is_empty() {
            let after = self.test.state.as_ref().map_or(&[][..], |s| &s.after);
            let command = reproduce(words, after, &self.test.test.text());
            self.line(&format!("\n    {command}"));
        }
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
            "lazily initialised state",
            "created at its first use and kept; tests that check whether it exists see a difference",
        ),
        Label::CacheOrPool => (
            "cache or pool",
            "kept for reuse; tests that run later may get what this one left",
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
            Kind::Added => write!(text, " It adds {after} to {}", holder(place)),
            Kind::Removed => write!(text, " It removes {before} from {}", holder(place)),
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
    for thread in test.state.iter().flat_map(|s| &s.threads).take(SHOWN) {
        let _ = write!(text, " It leaves {} running.", threads_text(thread));
    }
    text.push_str(
        " It does not restore this, so tests that run after it in the same JVM can pass or fail depending on whether it ran \
         before them. The test should restore the old state when it ends, for example in @After or @AfterEach.",
    );
    text
}

/// The collection that an element belongs to.
fn holder(place: &Place) -> String {
    let steps = place.steps.split_last().map_or(&[][..], |(_, rest)| rest);
    Place::new(place.root.clone(), steps.iter().cloned()).to_string()
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
    fn lines_break_between_words() {
        assert_eq!(wrap("aa bb cc", 9), ["    aa bb", "    cc"]);
    }
}
