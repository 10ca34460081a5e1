//! Reads out of a Java source what its tests do to the shared state, marked at the line that does it.
//!
//! ```java
//! counter++; //~ POLLUTES changed p.Foo.counter: 0 -> 1; counter
//! map.put("a", 1); //~ POLLUTES #grows added p.Foo.map["a"]; collection-grew, first touch
//!     //~^ POLLUTES #other added p.Foo.map["a"]            of the line above (`^^`: two above)
//!     //~^ POLLUTES [2] changed p.Foo.last                 of the second run of the test around it
//! list.ensureCapacity(9); //~ POLLUTES resized p.Foo.list; internal
//! cache.put("a", 1); //~ POLLUTES added p.Foo.cache["a"]; ignored by cache
//! static void once() { n = 1; //~ FIXTURE changed p.Foo.n     a class's fixture, not a test; `FIXTURE any`: whatever it is
//! Files.createFile(path); //~ FILE created left.txt        `*` stands for any text
//! new Thread(run, "left").start(); //~ THREAD left         a thread that still runs
//! void reads() { //~ passed
//!     //~ CLEAN                                            no finding that counts; `CLEAN strictly`: none at all
//!     //~ KNOWN why poldet cannot do it yet                the differences of this test are no failure
//! ```
//!
//! A mark belongs to the test it stands in, else to the one named (`#test` of the class around, `p.ATest#test[2]`).
//! Words after the semicolon: a label, an origin, `first touch`, `internal`, `ignored by RULE`, `restores TEST` (the end of
//! its name; of a file, too). Values that are not given
//! are not compared; `_` stands for one of them, nothing at all for what is absent. `(.step)?` in a place is there on some JDKs only. In a suite with marks every test has one.

use super::expect::{self, Place};

/// One mark: what is expected, of whom, and the line that does it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The id of a test, or the class of a fixture.
    pub owner: String,
    pub fixture: bool,
    pub package: String,
    pub file: String,
    pub line: u32,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    Heap(Heap),
    File {
        change: String,
        path: String,
        restores: Option<String>,
    },
    Thread(String),
    Clean {
        strictly: bool,
    },
    Known(String),
    /// Whatever a fixture does.
    Any,
}

/// An expected difference of the state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heap {
    pub kind: String,
    /// The root and the path from it, as one text.
    pub place: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub label: Option<String>,
    pub origin: Option<String>,
    pub first_touch: bool,
    pub internal: bool,
    pub ignored_by: Option<String>,
    pub restores: Option<String>,
}

const WORDS: &[&str] = &["POLLUTES", "FIXTURE", "FILE", "THREAD", "CLEAN", "KNOWN"];
const KINDS: &[&str] = &["changed", "added", "removed", "replaced", "resized"];
const CHANGES: &[&str] = &["created", "changed", "removed"];
const ORIGINS: &[&str] = &["suite", "library", "jdk"];
const LABELS: &[&str] = &[
    "state",
    "collection-grew",
    "configuration",
    "counter",
    "random",
    "lazy-initialisation",
    "cache-or-pool",
];

/// Whether the text after `//~` is a mark and no outcome.
pub fn is_mark(text: &str) -> bool {
    WORDS.contains(
        &text
            .trim_start_matches('^')
            .split_whitespace()
            .next()
            .unwrap_or(""),
    )
}

/// All marks of a source that bears the name `file`.
pub fn parse(text: &str, file: &str) -> Result<Vec<Mark>, String> {
    let mut found = Vec::new();
    let mut place = Place::default();
    for (at, line) in text.lines().enumerate() {
        let (code, expected) = match line.split_once("//~") {
            Some((code, expected)) => (code, Some(expected.trim())),
            None => (line, None),
        };
        let mark = expected.filter(|e| is_mark(e));
        place.advance(code, expected.is_some() && mark.is_none());
        if let Some(text) = mark {
            let up = text.chars().take_while(|c| *c == '^').count();
            let line = (at + 1).saturating_sub(up) as u32;
            let mark = read(text.trim_start_matches('^').trim(), &place, file, line);
            found.push(mark.map_err(|why| format!("line {}: {why}", at + 1))?);
        }
    }
    Ok(found)
}

fn read(text: &str, place: &Place, file: &str, line: u32) -> Result<Mark, String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim();
    let (target, rest) = if word == "KNOWN" {
        ("", rest)
    } else {
        split_target(rest)
    };
    let fixture = word == "FIXTURE";
    let what = match word {
        "FIXTURE" if rest == "any" => What::Any,
        "POLLUTES" | "FIXTURE" => What::Heap(heap(rest)?),
        "FILE" => file_change(rest)?,
        "THREAD" => What::Thread(rest.to_owned()),
        "CLEAN" => What::Clean {
            strictly: match rest {
                "" => false,
                "strictly" => true,
                other => return Err(format!("{other:?} after CLEAN")),
            },
        },
        _ => What::Known(rest.to_owned()),
    };
    Ok(Mark {
        owner: if fixture {
            place.class()
        } else {
            owner(target, place)?
        },
        fixture,
        package: place.package.clone(),
        file: file.to_owned(),
        line,
        what,
    })
}

/// `[2]`, `#test`, `p.A#test[2]` before the rest.
fn split_target(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if first.contains('#') || first.starts_with('[') {
        return (first, rest.trim_start());
    }
    ("", text)
}

fn owner(target: &str, place: &Place) -> Result<String, String> {
    let (name, invocation) = target.split_once('[').unwrap_or((target, ""));
    let (class, method) = match name.split_once('#') {
        Some(("", method)) => (place.class(), method.to_owned()),
        Some((class, method)) => (class.to_owned(), method.to_owned()),
        None => (place.class(), place.method.clone()),
    };
    if method.is_empty() {
        return Err("stands in no test and names none".into());
    }
    Ok(expect::id(&class, &method, invocation.trim_end_matches(']')))
}

fn file_change(text: &str) -> Result<What, String> {
    let (change, path) = text.split_once(' ').ok_or("no path")?;
    if !CHANGES.contains(&change) {
        return Err(format!("{change:?} is no change of a file"));
    }
    let (path, restores) = match path.split_once("; restores ") {
        Some((path, test)) => (path, Some(test.to_owned())),
        None => (path, None),
    };
    Ok(What::File {
        change: change.to_owned(),
        path: path.to_owned(),
        restores,
    })
}

fn heap(text: &str) -> Result<Heap, String> {
    let (kind, rest) = text.split_once(' ').ok_or("no place after the kind")?;
    if !KINDS.contains(&kind) {
        return Err(format!("{kind:?} is no kind"));
    }
    let (rest, words) = rest.rsplit_once("; ").unwrap_or((rest, ""));
    let (place, values) = split_values(rest);
    let mut heap = Heap {
        kind: kind.to_owned(),
        place: place.to_owned(),
        ..Heap::default()
    };
    if let Some(values) = values {
        let (before, after) = values.split_once("->").ok_or(format!("no arrow in {values:?}"))?;
        let given = |text: &str| match text.trim() {
            "_" => None,
            "" => Some("(absent)".to_owned()),
            value => Some(value.to_owned()),
        };
        (heap.before, heap.after) = (given(before), given(after));
    }
    for word in words.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        if LABELS.contains(&word) {
            heap.label = Some(word.to_owned());
        } else if ORIGINS.contains(&word) {
            heap.origin = Some(word.to_owned());
        } else if let Some(rule) = word.strip_prefix("ignored by ") {
            heap.ignored_by = Some(rule.to_owned());
        } else if let Some(test) = word.strip_prefix("restores ") {
            heap.restores = Some(test.to_owned());
        } else {
            match word {
                "first touch" => heap.first_touch = true,
                "internal" => heap.internal = true,
                other => return Err(format!("unknown word {other:?}")),
            }
        }
    }
    Ok(heap)
}

/// Parts a place from the values after it: at the first `: ` outside of quotes.
fn split_values(text: &str) -> (&str, Option<&str>) {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ':' if !quoted && text[at..].starts_with(": ") => {
                return (&text[..at], Some(&text[at + 2..]));
            }
            _ => {}
        }
    }
    (text.trim(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"package p;
class ATest {
  void m() { //~ passed
    n++; //~ POLLUTES changed p.A.n: 0 -> 1; counter, first touch
    put("k"); //~ POLLUTES [2] added p.A.map["a: b"]: _ -> x
    //~^ POLLUTES q.BTest#o[1] added p.A.map; internal, ignored by cache
    //~ CLEAN strictly
    //~ FILE created a b.txt
  }
  static void f() { n = 1; } //~ FIXTURE changed p.A.n
}
"#;

    #[test]
    fn marks_say_who_what_and_where() {
        let marks = parse(SOURCE, "A.java").unwrap();
        let owners: Vec<(&str, u32)> = marks.iter().map(|m| (m.owner.as_str(), m.line)).collect();
        let expected = [
            ("p.ATest#m", 4),
            ("p.ATest#m[2]", 5),
            ("q.BTest#o[1]", 5),
            ("p.ATest#m", 7),
            ("p.ATest#m", 8),
            ("p.ATest", 10),
        ];
        assert_eq!(owners, expected);
        let What::Heap(first) = &marks[0].what else {
            panic!()
        };
        assert_eq!(
            (first.before.as_deref(), first.after.as_deref()),
            (Some("0"), Some("1"))
        );
        assert_eq!(first.label.as_deref(), Some("counter"));
        assert!(first.first_touch && !first.internal);
        let What::Heap(second) = &marks[1].what else {
            panic!()
        };
        assert_eq!(second.place, "p.A.map[\"a: b\"]");
        assert_eq!(
            (second.before.as_deref(), second.after.as_deref()),
            (None, Some("x"))
        );
        let What::Heap(third) = &marks[2].what else {
            panic!()
        };
        assert_eq!(third.ignored_by.as_deref(), Some("cache"));
        assert!(parse("class A {\n//~ POLLUTES changed A.n\n", "A.java").is_err());
        assert!(
            parse(
                "class A {\nvoid m() { //~ passed\n//~ POLLUTES moved A.n\n",
                "A.java"
            )
            .is_err()
        );
    }
}
