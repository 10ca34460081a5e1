//! The text of a patch: statements in a file's own indentation and line ends, imports in their order, fixtures where several
//! tests need the same.

use crate::explore::fix::candidates::{Candidate, Needed, SAVED, TYPE, in_full};
use crate::explore::fix::context::{Context, Flavour, When};
use crate::explore::fix::search::{Part, Solution};
use crate::explore::fix::weave::{At, Plan, Spot, Woven, import_place};
use crate::source::tree::{Method, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Statements of a patch at one spot, with marked names.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// Type, name and value of what is kept at the start.
    pub saves: Vec<(String, String, String)>,
    pub lines: Vec<String>,
    pub imports: BTreeSet<Needed>,
    /// A method of another class that the lines call.
    pub home: Option<HomeCode>,
}

/// A new method with the statements of a helper.
#[derive(Clone, Debug)]
pub struct HomeCode {
    file: usize,
    class: String,
    name: String,
    lines: Vec<String>,
}

/// A patch as texts of files.
#[derive(Clone, Debug)]
pub struct Built {
    pub plan: Plan,
    pub texts: BTreeMap<usize, String>,
    pub code: Vec<String>,
    pub placement: String,
}

/// What is put at each spot; `flat` takes the statements of a helper's phases out of their blocks.
pub fn code(
    context: &Context<'_>,
    plan: &Plan,
    candidates: &[Candidate],
    woven: &Woven,
    solution: &Solution,
    flat: bool,
) -> Vec<Code> {
    let mut all: Vec<Code> = vec![Code::default(); plan.spots.len()];
    for Part { entry, kept } in &solution.parts {
        let entry = &woven.entries[*entry];
        for (s, code) in all.iter_mut().enumerate() {
            match &candidates[entry.candidate] {
                Candidate::Reset(reset) => {
                    let mut name = String::new();
                    if let Some(save) = &reset.save {
                        let taken = plan.spots[s].target(context).locals;
                        let free =
                            |n: &String| !taken.contains(n) && !code.saves.iter().any(|(_, o, _)| o == n);
                        let numbered = (2..).map(|i| format!("{}{i}", save.base));
                        let mut names = std::iter::once(save.base.clone()).chain(numbered);
                        name = names.find(free).unwrap_or_default();
                        code.saves
                            .push((save.ty.clone(), name.clone(), save.value.clone()));
                    }
                    let lines = reset.code.iter().map(|line| line.replace(SAVED, &name));
                    code.lines.extend(lines);
                }
                Candidate::Call(_) => {
                    let (Some(block), Some(home)) = (entry.parts().next(), &entry.home) else {
                        continue;
                    };
                    let source = &woven.sources[&block.file];
                    let lines = if flat {
                        block.units.flat_texts(source, kept)
                    } else {
                        block.units.texts(source, kept)
                    };
                    let name = free_name(&context.file(home.file).source, &home.class, "resetSharedState");
                    code.lines.push(format!("new {}().{name}();", mark(&home.class)));
                    code.home = Some(HomeCode {
                        file: home.file,
                        class: home.class.clone(),
                        name,
                        lines,
                    });
                }
                Candidate::Helper(_) | Candidate::Opened(_) => {
                    let Some(block) = entry.parts().find(|b| b.spot == s) else {
                        continue;
                    };
                    let source = &woven.sources[&block.file];
                    let texts = if flat {
                        block.units.flat_texts(source, kept)
                    } else {
                        block.units.texts(source, kept)
                    };
                    let marked = &entry.rendered[s].text;
                    code.lines.extend(texts.iter().map(|t| mark_again(t, marked)));
                    code.imports.extend(entry.rendered[s].imports.iter().cloned());
                }
            }
        }
    }
    for code in &mut all {
        // Only what the statements that are left name.
        let text = code.lines.join("\n");
        code.imports.retain(|i| match i.name.rsplit('.').next() {
            Some("*") | None => true,
            Some(simple) => has_word(&text, simple),
        });
    }
    all
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + word.len()..].chars().next().is_some_and(is_part);
        !before && !after
    })
}

/// Marks the full names in a text that are marked in another.
fn mark_again(text: &str, marked: &str) -> String {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for part in marked.split(TYPE.0).skip(1) {
        names.extend(part.split(TYPE.1).next());
    }
    let mut text = text.to_owned();
    for name in names {
        text = text.replace(name, &format!("{}{name}{}", TYPE.0, TYPE.1));
    }
    text
}

/// Ways to place the same statements, the best first.
pub fn placements(context: &Context<'_>, plan: &Plan, saves: bool) -> Vec<Plan> {
    let mut classes: Vec<&Spot> = Vec::new();
    for spot in &plan.spots {
        if !classes.iter().any(|s| s.class == spot.class) {
            classes.push(spot);
        }
    }
    let at_ends = plan.is_at_ends();
    let shared = at_ends && plan.spots.len() > classes.len();
    let instances = classes.iter().all(|s| context.flavour(s.test) != Flavour::JUnit3);
    if !shared || (saves && !instances) {
        return vec![plan.clone()];
    }
    let spots = classes.iter().map(|spot| {
        let own = context.own_fixture(spot.test, When::After);
        Spot {
            file: own.as_ref().map_or(spot.file, |d| d.file),
            test: spot.test,
            class: spot.class.clone(),
            at: At::Fixture(When::After, own.map(|d| d.method)),
        }
    });
    let after = Plan {
        side: plan.side,
        spots: spots.collect(),
    };
    vec![after, plan.clone()]
}

/// The changed files. `widen` lets the methods throw any exception.
pub fn build(context: &Context<'_>, plan: &Plan, codes: &[Code], widen: bool) -> Result<Built, String> {
    let mut edits: BTreeMap<usize, Vec<(Range<usize>, String)>> = BTreeMap::new();
    let mut imports: BTreeMap<usize, BTreeSet<Needed>> = BTreeMap::new();
    let mut shown = Vec::new();
    let mut places: Vec<String> = Vec::new();
    for (spot, code) in plan.spots.iter().zip(codes) {
        let source = &context.file(spot.file).source;
        let needed = imports.entry(spot.file).or_default();
        needed.extend(code.imports.iter().cloned());
        let mut write = |text: &str| simplify(source, text, needed);
        let lines: Vec<String> = code.lines.iter().map(|l| write(l)).collect();
        let saves: Vec<(String, String, String)> = code
            .saves
            .iter()
            .map(|(ty, name, value)| (write(ty), name.clone(), write(value)))
            .collect();
        let declarations: Vec<String> = saves
            .iter()
            .map(|(ty, name, value)| format!("{ty} {name} = {value};"))
            .collect();
        if shown.is_empty() {
            shown.extend(declarations.iter().cloned());
            shown.extend(lines.iter().cloned());
        }
        let list = edits.entry(spot.file).or_default();
        match &spot.at {
            At::Start(method) => {
                list.push(insert_start(source, method, &lines));
                places.push(format!("at the start of {}", method.name));
            }
            At::End(method) if declarations.is_empty() => {
                list.push(insert_end(source, method, &lines));
                places.push(format!("at the end of {}", method.name));
            }
            At::End(method) => {
                list.push(surround(source, method, &declarations, &lines));
                places.push(format!("around the body of {}", method.name));
            }
            At::Fixture(when, existing) => {
                if !saves.is_empty() {
                    list.push(insert_fields(source, &spot.class, &declarations)?);
                }
                let flavour = context.flavour(spot.test);
                match existing {
                    Some(method) if *when == When::Before => list.push(insert_start(source, method, &lines)),
                    Some(method) => list.push(insert_end(source, method, &lines)),
                    None => {
                        let annotation = flavour.annotation(*when);
                        let annotation = annotation.map(|a| simplify(source, &mark(a), needed));
                        let new = insert_fixture(
                            source,
                            spot,
                            flavour,
                            *when,
                            annotation.as_deref(),
                            &lines,
                            widen,
                        )?;
                        list.push(new);
                    }
                }
                let name = match (flavour.annotation(*when), when) {
                    (Some(a), _) => format!("@{}", a.rsplit('.').next().unwrap_or(a)),
                    (None, When::Before) => "setUp".into(),
                    (None, _) => "tearDown".into(),
                };
                let kind = if existing.is_some() { "the" } else { "a new" };
                places.push(format!("in {kind} {name} of {}", spot.class));
            }
        }
        if let Some(home) = code.home.as_ref().filter(|_| places.len() == 1) {
            shown.extend(home.lines.iter().cloned());
            let source = &context.file(home.file).source;
            edits
                .entry(home.file)
                .or_default()
                .push(insert_method(source, home, widen)?);
            imports.entry(home.file).or_default();
            places.push(format!("with a new method {} of {}", home.name, home.class));
        }
        let list = edits.entry(spot.file).or_default();
        let method = match &spot.at {
            At::Start(m) | At::End(m) | At::Fixture(_, Some(m)) => Some(m),
            At::Fixture(_, None) => None,
        };
        if let Some(method) = method.filter(|_| widen) {
            list.extend(throws(source, method));
        }
    }
    let mut texts = BTreeMap::new();
    for (file, mut list) in edits {
        let source = &context.file(file).source;
        list.extend(import_edits(source, &imports[&file]));
        texts.insert(file, apply(&source.text.text, list));
    }
    places.dedup();
    Ok(Built {
        plan: plan.clone(),
        texts,
        code: shown,
        placement: places.join(", "),
    })
}

fn mark(class: &str) -> String {
    format!("{}{class}{}", TYPE.0, TYPE.1)
}

/// Applies edits; of several at one place the first comes first.
fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut new = String::new();
    let mut done = 0;
    for (range, with) in edits {
        if range.start >= done {
            new.push_str(&text[done..range.start]);
            done = range.end;
        }
        new.push_str(&with);
    }
    new.push_str(&text[done..]);
    new
}

/// Code with the shortest names that mean the same in a file, and the imports that they need.
fn simplify(source: &Source, code: &str, needed: &mut BTreeSet<Needed>) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some((before, marked)) = rest.split_once(TYPE.0) {
        text.push_str(before);
        let Some((name, after)) = marked.split_once(TYPE.1) else {
            rest = marked;
            break;
        };
        text.push_str(&short_name(source, name, needed));
        rest = after;
    }
    text.push_str(rest);
    in_full(&text)
}

fn short_name(source: &Source, name: &str, needed: &mut BTreeSet<Needed>) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let capital = |p: &&str| p.starts_with(|c: char| c.is_uppercase());
    let Some(first) = parts.iter().position(capital) else {
        return name.to_owned();
    };
    let (package, simple) = (parts[..first].join("."), parts[first]);
    let top = parts[..=first].join(".");
    let short = parts[first..].join(".");
    let imports = source.import_list();
    let declared = source.types();
    let own = declared
        .iter()
        .find(|t| t.name.rsplit(['.', '$']).next() == Some(simple));
    if let Some(own) = own {
        return if own.name == top { short } else { name.to_owned() };
    }
    let single = imports
        .iter()
        .find(|i| !i.is_static && i.simple() == Some(simple));
    if let Some(import) = single {
        return if import.name == top {
            short
        } else {
            name.to_owned()
        };
    }
    let star = format!("{package}.*");
    if package == "java.lang"
        || package == source.package
        || imports.iter().any(|i| !i.is_static && i.name == star)
    {
        return short;
    }
    let taken = needed
        .iter()
        .any(|n| !n.is_static && n.name != top && n.name.rsplit('.').next() == Some(simple));
    if taken || package.is_empty() {
        return name.to_owned();
    }
    needed.insert(Needed {
        name: top,
        is_static: false,
    });
    short
}

fn eol(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// White space at the start of the line of an offset.
fn indent_at(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |i| i + 1);
    let line = &text[start..];
    let end = line.find(|c: char| c != ' ' && c != '\t').unwrap_or(line.len());
    &line[..end]
}

/// One level of indentation, as the file has it.
fn level(text: &str) -> &'static str {
    let mut widths = text
        .lines()
        .filter_map(|l| {
            let width = l.len() - l.trim_start_matches([' ', '\t']).len();
            (width > 0 && !l.trim_start().starts_with('*')).then_some((width, l.starts_with('\t')))
        })
        .collect::<Vec<_>>();
    widths.sort_unstable();
    match widths.first() {
        Some((_, true)) => "\t",
        Some((2 | 3, false)) => "  ",
        _ => "    ",
    }
}

/// Indents statements of several lines each.
fn block(lines: &[String], indent: &str, eol: &str) -> String {
    let mut text = String::new();
    for line in lines.iter().flat_map(|l| l.lines()) {
        if line.trim().is_empty() {
            text.push_str(eol);
        } else {
            text.push_str(&format!("{indent}{}{eol}", line.trim_end()));
        }
    }
    text
}

/// The indentation of the statements of a method.
fn inner_indent(source: &Source, method: &Method) -> String {
    let text = &source.text.text;
    let first = source.statements(method, false).first().map(|s| s.range.start);
    match first.filter(|f| text[method.body.start..*f].contains('\n')) {
        Some(first) => indent_at(text, first).to_owned(),
        None => format!("{}{}", indent_at(text, method.range.start), level(text)),
    }
}

fn insert_start(source: &Source, method: &Method, lines: &[String]) -> (Range<usize>, String) {
    let text = &source.text.text;
    let at = method.body.start + 1;
    let line_end = text[at..].find('\n').map_or(text.len(), |i| at + i + 1);
    if line_end < method.body.end && text[at..line_end].trim().is_empty() {
        let indent = inner_indent(source, method);
        return (line_end..line_end, block(lines, &indent, eol(text)));
    }
    (at..at, format!(" {}", lines.join(" ")))
}

fn insert_end(source: &Source, method: &Method, lines: &[String]) -> (Range<usize>, String) {
    let text = &source.text.text;
    let at = method.body.end - 1;
    let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
    if line > method.body.start && text[line..at].trim().is_empty() {
        let indent = inner_indent(source, method);
        return (line..line, block(lines, &indent, eol(text)));
    }
    let space = if text[..at].ends_with(' ') { "" } else { " " };
    (at..at, format!("{space}{} ", lines.join(" ")))
}

/// The body of a method in a `try`, so that what was saved is put back even if the test fails.
fn surround(
    source: &Source,
    method: &Method,
    declarations: &[String],
    lines: &[String],
) -> (Range<usize>, String) {
    let text = &source.text.text;
    let inside = method.body.start + 1..method.body.end - 1;
    let line_end = text[inside.start..]
        .find('\n')
        .map_or(text.len(), |i| inside.start + i + 1);
    let last_line = text[..inside.end].rfind('\n').map_or(0, |i| i + 1);
    let own_lines = line_end <= last_line
        && text[inside.start..line_end].trim().is_empty()
        && text[last_line..inside.end].trim().is_empty();
    if !own_lines {
        let body = text[inside.clone()].trim();
        let (saves, restores) = (declarations.join(" "), lines.join(" "));
        let new = format!(" {saves} try {{ {body} }} finally {{ {restores} }} ");
        return (inside, new);
    }
    let (indent, level, eol) = (inner_indent(source, method), level(text), eol(text));
    let mut new = block(declarations, &indent, eol);
    new.push_str(&format!("{indent}try {{{eol}"));
    let mut at = line_end;
    for line in text[line_end..last_line].split_inclusive('\n') {
        if !line.trim().is_empty() && !source.is_in_text(at) {
            new.push_str(level);
        }
        new.push_str(line);
        at += line.len();
    }
    new.push_str(&format!("{indent}}} finally {{{eol}"));
    new.push_str(&block(lines, &format!("{indent}{level}"), eol));
    new.push_str(&format!("{indent}}}{eol}"));
    (line_end..last_line, new)
}

/// Fields at the start of a class.
fn insert_fields(
    source: &Source,
    class: &str,
    declarations: &[String],
) -> Result<(Range<usize>, String), String> {
    let text = &source.text.text;
    let body = source.class_body(class).ok_or("a class without a body")?;
    let at = body.start + 1;
    let line_end = text[at..].find('\n').map_or(at, |i| at + i + 1);
    let indent = format!("{}{}", indent_at(text, body.end - 1), level(text));
    let fields: Vec<String> = declarations
        .iter()
        .map(|d| format!("private final {d}"))
        .collect();
    let eol = eol(text);
    Ok((
        line_end..line_end,
        format!("{}{eol}", block(&fields, &indent, eol)),
    ))
}

/// A new fixture at the end of a class.
fn insert_fixture(
    source: &Source,
    spot: &Spot,
    flavour: Flavour,
    when: When,
    annotation: Option<&str>,
    lines: &[String],
    widen: bool,
) -> Result<(Range<usize>, String), String> {
    let text = &source.text.text;
    let body = source.class_body(&spot.class).ok_or("a class without a body")?;
    let brace = body.end - 1;
    let outer = indent_at(text, brace).to_owned();
    let indent = format!("{outer}{}", level(text));
    let eol = eol(text);
    let base = if when == When::Before {
        "resetSharedState"
    } else {
        "restoreSharedState"
    };
    let name = free_name(source, &spot.class, base);
    let throws = if widen { " throws Exception" } else { "" };
    let mut all = lines.to_vec();
    let head = match (annotation, when) {
        (Some(annotation), _) => {
            let public = if flavour == Flavour::JUnit4 { "public " } else { "" };
            vec![
                format!("@{annotation}"),
                format!("{public}void {name}(){throws} {{"),
            ]
        }
        (None, When::Before) => {
            all.insert(0, "super.setUp();".into());
            vec![
                "@Override".into(),
                "protected void setUp() throws Exception {".into(),
            ]
        }
        (None, _) => {
            all.push("super.tearDown();".into());
            vec![
                "@Override".into(),
                "protected void tearDown() throws Exception {".into(),
            ]
        }
    };
    let inner = format!("{indent}{}", level(text));
    let method = format!(
        "{}{}{indent}}}{eol}",
        block(&head, &indent, eol),
        block(&all, &inner, eol)
    );
    let line = text[..brace].rfind('\n').map_or(0, |i| i + 1);
    if line > body.start && text[line..brace].trim().is_empty() {
        return Ok((line..line, format!("{eol}{method}")));
    }
    Ok((brace..brace, format!("{eol}{method}{outer}")))
}

/// A name that no member of the class has.
fn free_name(source: &Source, class: &str, base: &str) -> String {
    let members = source.members_of(class);
    let taken = |n: &String| members.of_class.contains(n) || members.of_instance.contains(n);
    let mut names = std::iter::once(base.to_owned()).chain((2..).map(|i| format!("{base}{i}")));
    names.find(|n| !taken(n)).unwrap_or_default()
}

/// A new method at the end of a class.
fn insert_method(source: &Source, home: &HomeCode, widen: bool) -> Result<(Range<usize>, String), String> {
    let text = &source.text.text;
    let body = source.class_body(&home.class).ok_or("a class without a body")?;
    let brace = body.end - 1;
    let outer = indent_at(text, brace).to_owned();
    let indent = format!("{outer}{}", level(text));
    let inner = format!("{indent}{}", level(text));
    let eol = eol(text);
    let throws = if widen { " throws Exception" } else { "" };
    let head = [format!("public void {}(){throws} {{", home.name)];
    let method = format!(
        "{eol}{}{}{indent}}}{eol}",
        block(&head, &indent, eol),
        block(&home.lines, &inner, eol)
    );
    let line = text[..brace].rfind('\n').map_or(0, |i| i + 1);
    if line > body.start && text[line..brace].trim().is_empty() {
        return Ok((line..line, method));
    }
    Ok((brace..brace, format!("{method}{outer}")))
}

fn throws(source: &Source, method: &Method) -> Option<(Range<usize>, String)> {
    match source.throws(method) {
        Some(range) => {
            let text = source.of(&range);
            let words: Vec<&str> = text.split([' ', ',', '\n', '\t', '\r']).collect();
            let wide = words.iter().any(|w| matches!(*w, "Exception" | "Throwable"));
            (!wide).then(|| (range, "throws Exception".to_owned()))
        }
        None => {
            let at = method.body.start;
            Some((at..at, "throws Exception ".into()))
        }
    }
}

/// Imports where they stand in their order.
fn import_edits(source: &Source, needed: &BTreeSet<Needed>) -> Vec<(Range<usize>, String)> {
    let text = &source.text.text;
    let eol = eol(text);
    let there = source.import_list();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let new: Vec<&Needed> = needed
        .iter()
        .filter(|n| {
            !there
                .iter()
                .any(|i| i.name == n.name && i.is_static == n.is_static)
        })
        .collect();
    for import in &new {
        let kind = if import.is_static { "static " } else { "" };
        let line = format!("import {kind}{};", import.name);
        let group: Vec<_> = there.iter().filter(|i| i.is_static == import.is_static).collect();
        let before = group.iter().rev().find(|i| i.name < import.name);
        let edit = match (before, group.first()) {
            (Some(before), _) => (before.range.end..before.range.end, format!("{eol}{line}")),
            (None, Some(first)) => (first.range.start..first.range.start, format!("{line}{eol}")),
            (None, None) => {
                let at = import_place(source).unwrap_or(0);
                let first = edits.iter().all(|(r, _)| r.start != at);
                match (there.is_empty(), at) {
                    (true, 0) => (0..0, format!("{line}{eol}")),
                    (true, at) if first => (at..at, format!("{eol}{eol}{line}")),
                    (_, at) => (at..at, format!("{eol}{line}")),
                }
            }
        };
        edits.push(edit);
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::text::Text;

    fn source(text: &str) -> Source {
        Source::parse(Text::new(text.into())).expect("parses")
    }

    fn method(source: &Source) -> Method {
        source.methods().remove(0)
    }

    #[test]
    fn statements_are_indented_as_their_neighbours() {
        let text = "class A {\r\n\tvoid m() {\r\n\t\ta();\r\n\t}\r\n}\r\n";
        let source = source(text);
        let lines = ["x();".to_owned(), "if (y) {\n    z();\n}".to_owned()];
        let start = apply(text, vec![insert_start(&source, &method(&source), &lines)]);
        assert_eq!(
            start,
            "class A {\r\n\tvoid m() {\r\n\t\tx();\r\n\t\tif (y) {\r\n\t\t    z();\r\n\t\t}\r\n\t\ta();\r\n\t}\r\n}\r\n"
        );
        let end = apply(text, vec![insert_end(&source, &method(&source), &lines[..1])]);
        assert!(end.contains("\t\ta();\r\n\t\tx();\r\n\t}"), "{end}");
    }

    #[test]
    fn methods_in_one_line_stay_so() {
        let text = "class A { void m() { a(); } void n() {} }";
        let source = source(text);
        let lines = ["x();".to_owned()];
        let methods = source.methods();
        let both = vec![
            insert_start(&source, &methods[0], &lines),
            insert_end(&source, &methods[1], &lines),
        ];
        assert_eq!(
            apply(text, both),
            "class A { void m() { x(); a(); } void n() { x(); } }"
        );
    }

    #[test]
    fn what_is_saved_is_put_back_in_any_case() {
        let text = "class A {\n  void m() {\n    a(\"\"\"\n      b\n    \"\"\");\n\n    c();\n  }\n  void n() { a(); }\n}\n";
        let source = source(text);
        let saves = ["int x = y;".to_owned()];
        let lines = ["y = x;".to_owned()];
        let both: Vec<_> = source
            .methods()
            .iter()
            .map(|m| surround(&source, m, &saves, &lines))
            .collect();
        assert_eq!(
            apply(text, both),
            "class A {\n  void m() {\n    int x = y;\n    try {\n      a(\"\"\"\n      b\n    \"\"\");\n\n      c();\n    } finally {\n      \
             y = x;\n    }\n  }\n  void n() { int x = y; try { a(); } finally { y = x; } }\n}\n"
        );
    }

    #[test]
    fn imports_keep_their_order() {
        let text = "package p;\n\nimport static a.B.c;\n\nimport java.io.File;\nimport org.junit.Test;\n\nclass A {}\n";
        let source = source(text);
        let mut needed = BTreeSet::new();
        let code = simplify(
            &source,
            "\u{1}java.util.Locale\u{2}.x(\u{1}p.Q\u{2}.y, \u{1}java.lang.Math\u{2}.PI, \u{1}z.File\u{2}.w)",
            &mut needed,
        );
        assert_eq!(code, "Locale.x(Q.y, Math.PI, z.File.w)");
        let new = apply(text, import_edits(&source, &needed));
        assert!(
            new.contains("import java.io.File;\nimport java.util.Locale;\nimport org"),
            "{new}"
        );
    }
}
