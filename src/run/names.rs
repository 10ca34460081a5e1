//! Names of tests as people type them: short ones are completed, and an unknown one is answered with the nearest.

use crate::run::discover::Candidate;
use crate::run::suite::Suite;
use poldet_records::UniqueId;
use poldet_vm::classfile::{ClassFile, flags};

/// A name with its class in full: `CartTest#totals`, `CartTest.totals` and `totals` are completed where only one class of the
/// suite is meant.
pub fn complete(text: &str, suite: &Suite, classes: &[Candidate]) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("an empty test name".into());
    }
    if UniqueId::parse(text).is_some() {
        return Ok(text.to_owned());
    }
    let (class, rest) = parts(text, suite);
    if suite.has_class(class) {
        return Ok(text.to_owned());
    }
    let short = classes.iter().filter(|c| is_short_for(class, &c.name));
    let mut full: Vec<String> = short.map(|c| format!("{}{rest}", c.name)).collect();
    if full.is_empty() {
        full = by_last_word(text, suite, classes);
    }
    match full.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(unknown(text, suite, classes)),
        several => Err(format!("'{text}' is in several classes: {}", several.join(", "))),
    }
}

/// The class of a name, and what follows it.
fn parts<'a>(text: &'a str, suite: &Suite) -> (&'a str, &'a str) {
    if let Some(at) = text.find('#') {
        return text.split_at(at);
    }
    if suite.has_class(text) {
        return (text, "");
    }
    let name_ends = text.find(['(', '[']).unwrap_or(text.len());
    match text[..name_ends].rfind('.') {
        Some(at) if suite.has_class(&text[..at]) => text.split_at(at),
        _ => (text, ""),
    }
}

/// Whether a class is called so without its package, or without what it is nested in.
fn is_short_for(short: &str, class: &str) -> bool {
    !short.is_empty()
        && class
            .strip_suffix(short)
            .is_some_and(|before| before.ends_with(['.', '$']))
}

/// `CartTest.totals`, or a method alone.
fn by_last_word(text: &str, suite: &Suite, classes: &[Candidate]) -> Vec<String> {
    let name_ends = text.find(['(', '[']).unwrap_or(text.len());
    let (class, method) = match text[..name_ends].rfind(['.', '#']) {
        Some(at) => (&text[..at], &text[at + 1..name_ends]),
        None => ("", &text[..name_ends]),
    };
    let fits = |c: &&Candidate| {
        (class.is_empty() || is_short_for(class, &c.name))
            && methods(suite, &c.name).iter().any(|m| m == method)
    };
    let found = classes.iter().filter(fits);
    let rest = &text[name_ends..];
    found.map(|c| format!("{}#{method}{rest}", c.name)).collect()
}

/// Methods that a class declares and a test framework could call.
fn methods(suite: &Suite, class: &str) -> Vec<String> {
    let file = format!("{}.class", class.replace('.', "/"));
    let Some(bytes) = suite.entries().find_map(|e| e.read(&file)) else {
        return Vec::new();
    };
    let leaked: &'static [u8] = Box::leak(bytes.into_owned().into_boxed_slice());
    let Ok(parsed) = ClassFile::parse(leaked) else {
        return Vec::new();
    };
    let plain = parsed
        .methods
        .iter()
        .filter(|m| m.access & (flags::SYNTHETIC | flags::STATIC) == 0);
    let names = plain.filter_map(|m| parsed.utf8(m.name));
    let names = names.map(|n| String::from_utf8_lossy(n).into_owned());
    names.filter(|n| !n.starts_with('<')).collect()
}

/// All tests that a suite seems to have, by name.
pub fn likely(suite: &Suite, classes: &[Candidate]) -> Vec<String> {
    let of = |c: &Candidate| {
        let methods = methods(suite, &c.name).into_iter();
        let methods: Vec<String> = methods.map(|m| format!("{}#{m}", c.name)).collect();
        std::iter::once(c.name.clone()).chain(methods).collect::<Vec<_>>()
    };
    classes.iter().flat_map(of).collect()
}

/// One line about a name that nothing has.
fn unknown(text: &str, suite: &Suite, classes: &[Candidate]) -> String {
    let near = near(text, likely(suite, classes).into_iter());
    format!("no test '{text}' in {}{}", suite.text(), did_you_mean(&near))
}

pub fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}

/// Up to three names that differ little from what was typed, or whose last part does.
pub fn near(text: &str, names: impl Iterator<Item = String>) -> Vec<String> {
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
    fn short_names() {
        assert!(is_short_for("CartTest", "shop.CartTest"));
        assert!(is_short_for("Inner", "shop.CartTest$Inner"));
        assert!(!is_short_for("artTest", "shop.CartTest"));
        assert!(!is_short_for("shop.CartTest", "shop.CartTest"));
    }
}
