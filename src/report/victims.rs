//! Who suffers from whom, for people: failing tests with their polluters, findings with their victims, and what tests read.

use crate::report::fields::Look;
use crate::report::nio::read_at;
use crate::report::paint::{BOLD, DIM, RED, paint};
use crate::report::pollution::{count, few, frame_text, written};
use poldet_records::{Document, Impact, Link, Outcome, Rank, Record, SearchPlace, TestAccess};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Places listed of one test.
const PLACES: usize = 5;

/// Why tests with one failure failed, as far as it is known.
pub fn of_group(out: &mut dyn Write, records: &[&Record], colour: bool) -> io::Result<()> {
    let mut causes: Vec<(&Record, &Link, Vec<String>)> = Vec::new();
    for record in records {
        let Some(link) = &record.polluted_by else { continue };
        match causes.iter_mut().find(|(_, known, _)| known.tests == link.tests) {
            Some((_, _, others)) => others.push(record.test.text()),
            None => causes.push((record, link, Vec::new())),
        }
    }
    let unknown = records.iter().filter(|r| r.alone.is_none()).count();
    let last = causes.len().saturating_sub(1);
    for (i, (first, link, others)) in causes.into_iter().enumerate() {
        let who = paint(&link.tests.join(", "), BOLD, colour);
        let title = paint("VICTIM", RED, colour);
        writeln!(
            out,
            "{title}  {} passes alone and fails after {who}",
            first.test.text()
        )?;
        state(out, link, &first.test.class)?;
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(String::as_str).collect();
            let so = if names.len() == 1 { "so does" } else { "so do" };
            writeln!(out, "    {so} {}", few(&names, &count(names.len(), "more test")))?;
        }
        if i == last && unknown > 0 {
            let were = if unknown == 1 { "was" } else { "were" };
            let tests = count(unknown, "more test");
            writeln!(out, "    {tests} with this failure {were} not run again")?;
        }
        writeln!(out, "    reproduce: {}\n", link.reproduce)?;
    }
    Ok(())
}

fn state(out: &mut dyn Write, link: &Link, class: &str) -> io::Result<()> {
    for place in &link.state {
        writeln!(out, "    it reads {}", place_text(place))?;
        if let Some(frame) = read_at(&place.read_at) {
            writeln!(out, "        read at {}", frame_text(frame))?;
        }
        if let Some(line) = written(&place.written_at, Some(class)) {
            writeln!(out, "        {line}")?;
        }
    }
    Ok(())
}

/// The place, and what became of it.
fn place_text(place: &SearchPlace) -> String {
    let (before, after) = (&place.before, &place.after);
    match (before.is_empty(), after.is_empty()) {
        (true, true) => format!("{}{}", place.root, place.path),
        _ => format!("{}{}: {before} → {after}", place.root, place.path),
    }
}

/// How many failures come from polluters, for the headline.
pub fn headline(document: &Document) -> Option<String> {
    let victims = document.tests.iter().filter(|r| r.polluted_by.is_some());
    let links: Vec<&Link> = victims.filter_map(|r| r.polluted_by.as_ref()).collect();
    let polluters: std::collections::BTreeSet<&[String]> = links.iter().map(|l| &l.tests[..]).collect();
    match (links.len(), polluters.len()) {
        (0, _) => None,
        (1, _) => Some(format!(
            "1 of them passes alone and fails after {}",
            links[0].tests.join(", ")
        )),
        (n, 1) => Some(format!(
            "{n} of them pass alone and fail after {}",
            links[0].tests.join(", ")
        )),
        (n, p) => Some(format!(
            "{n} of them pass alone and fail after one of {p} polluters"
        )),
    }
}

/// One line on who suffers from a finding; nothing where that was not looked for.
pub fn impact_line(impacts: &[&Impact]) -> Option<String> {
    let worst = impacts.iter().map(|i| i.rank).min()?;
    let all = |of: fn(&Impact) -> &Vec<String>| {
        let mut names: Vec<&str> = Vec::new();
        for name in impacts.iter().flat_map(|i| of(i)) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    };
    let readers = impacts.iter().filter_map(|i| i.readers).max();
    let tried = impacts.iter().filter_map(|i| i.tried).max();
    Some(match worst {
        Rank::Harmful => {
            let names = all(|i| &i.victims);
            let fail = if names.len() == 1 { "fails" } else { "fail" };
            format!(
                "harmful: {} {fail} after it",
                few(&names, &count(names.len(), "test"))
            )
        }
        Rank::Observed => {
            let names = all(|i| &i.observers);
            let verb = if names.len() == 1 { "behaves" } else { "behave" };
            let names = few(&names, &count(names.len(), "test"));
            format!("observed: {names} {verb} differently after it")
        }
        Rank::Read => {
            let (readers, tried) = (readers.unwrap_or(0), tried.unwrap_or(0));
            match (readers, tried) {
                (1, 1) => {
                    "read: 1 test reads it, and does the same as alone when it is run after it".to_owned()
                }
                (1, _) => "read: 1 test reads it".to_owned(),
                (n, 0) => format!("read: {n} tests read it"),
                (n, t) => format!("read: {n} tests read it; run after it, {t} of them do the same as alone"),
            }
        }
        Rank::Unread => "unread: no test reads it".to_owned(),
    })
}

/// What tests read that others change: tests that read the same in one entry.
pub fn reads(out: &mut dyn Write, document: &Document, look: Look<'_>) -> io::Result<()> {
    let mut groups: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for record in &document.tests {
        let lines = record.access.as_ref().map(read_lines).unwrap_or_default();
        if !lines.is_empty() {
            groups.entry(lines).or_default().push(record.test.text());
        }
    }
    if groups.is_empty() {
        return Ok(());
    }
    let shown = look.limit.unwrap_or(groups.len());
    for (lines, tests) in groups.iter().take(shown) {
        let names: Vec<&str> = tests.iter().map(String::as_str).collect();
        let who = few(&names, &count(names.len(), "test"));
        writeln!(out, "{}  {who}", paint("READS", BOLD, look.colour))?;
        let verb = if tests.len() == 1 { "reads" } else { "read" };
        for line in lines.iter().take(PLACES) {
            writeln!(out, "    {verb} {line}")?;
        }
        if lines.len() > PLACES {
            writeln!(
                out,
                "    and {} (--format json lists them)",
                count(lines.len() - PLACES, "more place")
            )?;
        }
        writeln!(out)?;
    }
    if groups.len() > shown {
        let more = format!("READS  {} more groups of tests\n", groups.len() - shown);
        writeln!(out, "{}", paint(&more, DIM, look.colour))?;
    }
    Ok(())
}

/// `Config.locale, which 3 tests change`, for every place that others change.
pub fn read_lines(access: &TestAccess) -> Vec<String> {
    let others = access.read.iter().filter(|read| read.changed_by > 0);
    let mut lines: Vec<String> = others
        .map(|read| {
            let change = if read.changed_by == 1 { "changes" } else { "change" };
            format!(
                "{}, which {} {change}",
                read.place,
                count(read.changed_by, "test")
            )
        })
        .collect();
    lines.extend(
        access
            .files
            .read
            .iter()
            .map(|f| format!("the file {f}, which another test changes")),
    );
    lines
}

/// What else a test depends on.
pub fn uses(access: &TestAccess) -> Vec<&'static str> {
    let uses = access.uses;
    let all = [
        (uses.clock, "the clock"),
        (uses.identity_hashes, "identity hashes"),
        (uses.network, "the network"),
        (uses.environment, "environment variables"),
    ];
    all.iter()
        .filter(|(asked, _)| *asked)
        .map(|(_, what)| *what)
        .collect()
}

/// The outcome alone, where it is another than in the run.
pub fn alone_text(record: &Record) -> Option<&'static str> {
    match record.alone? {
        outcome if outcome == record.outcome => None,
        Outcome::Passed => Some("passes alone"),
        _ => Some("fails alone"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::{Place, ReadPlace};

    #[test]
    fn a_person_sees_who_changes_what_is_read() {
        let mut access = TestAccess::default();
        for changed_by in [0, 1, 3] {
            access.read.push(ReadPlace {
                place: Place::parse("a.Config.locale", ""),
                changed_by,
            });
        }
        assert_eq!(
            read_lines(&access),
            [
                "a.Config.locale, which 1 test changes",
                "a.Config.locale, which 3 tests change"
            ]
        );
    }

    #[test]
    fn ranks_are_said_by_their_worst() {
        let impact = |rank, victims: &[&str]| Impact {
            rank,
            victims: victims.iter().map(|v| (*v).to_owned()).collect(),
            observers: Vec::new(),
            readers: Some(2),
            tried: Some(2),
        };
        let (read, harmful) = (impact(Rank::Read, &[]), impact(Rank::Harmful, &["A#v"]));
        assert_eq!(
            impact_line(&[&read, &harmful]).as_deref(),
            Some("harmful: A#v fails after it")
        );
        let text = impact_line(&[&read]).unwrap_or_default();
        assert_eq!(
            text,
            "read: 2 tests read it; run after it, 2 of them do the same as alone"
        );
        assert_eq!(impact_line(&[]), None);
    }
}
