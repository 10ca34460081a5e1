//! Statements that may fix a test: those of a helper, or a reset made for the state to blame, as they read in another method.

use crate::explore::fix::context::{Context, Declared, When};
use crate::explore::fix::resets::Reset;
use crate::source::tree::Source;
use crate::source::units::Units;
use poldet_records::PatchKind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Marks around the full name of a class in generated code, until it is known how the class can be written.
pub const TYPE: (char, char) = ('\u{1}', '\u{2}');
/// Stands for the variable that keeps a saved value.
pub const SAVED: &str = "\u{3}";

#[derive(Clone, Debug)]
pub enum Candidate {
    /// Tests whose statements are taken, in their order.
    Helper(Vec<usize>),
    /// The same, with the statements inside of branches, loops, `try` and lambdas in place of those around them.
    Opened(Vec<usize>),
    /// A test whose statements become a method of its own class, which is called.
    Call(usize),
    Reset(Reset),
}

impl Candidate {
    pub fn kind(&self) -> PatchKind {
        match self {
            Candidate::Helper(_) | Candidate::Opened(_) | Candidate::Call(_) => PatchKind::Helper,
            Candidate::Reset(_) => PatchKind::Synthesised,
        }
    }

    /// The tests whose statements it takes.
    pub fn helpers(&self) -> Option<&[usize]> {
        match self {
            Candidate::Helper(tests) | Candidate::Opened(tests) => Some(tests),
            Candidate::Call(test) => Some(std::slice::from_ref(test)),
            Candidate::Reset(_) => None,
        }
    }

    /// It keeps a value at the start of a method and puts it back at the end.
    pub fn saves(&self) -> bool {
        matches!(self, Candidate::Reset(reset) if reset.save.is_some())
    }
}

/// Where statements are to go.
pub struct Target {
    pub file: usize,
    /// Names of variables that are taken there.
    pub locals: BTreeSet<String>,
    /// Classes whose members can be named there without more.
    pub scope: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Needed {
    pub name: String,
    pub is_static: bool,
}

/// Statements as they read at a target.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    pub text: String,
    pub imports: BTreeSet<Needed>,
    /// Each phase of the helper is a block of its own; this one is its body.
    pub body_block: Option<usize>,
    /// Statements of the helper, those inside of others included.
    pub statements: usize,
}

/// The statements of helpers in the order in which JUnit runs them: fixtures, body, tear-down. None if they are to be opened and
/// there is nothing to open.
pub fn helper(context: &Context<'_>, helpers: &[usize], target: &Target, open: bool) -> Option<Rendered> {
    let mut rendered = Rendered::default();
    let mut opened = false;
    let mut phases: Vec<(bool, String)> = Vec::new();
    for helper in helpers {
        let before = [When::BeforeClass, When::Before];
        let after = [When::After, When::AfterClass];
        let fixtures = |when: &When| context.fixtures(*helper, *when);
        let mut methods: Vec<(bool, Declared)> = Vec::new();
        methods.extend(before.iter().flat_map(fixtures).map(|d| (false, d)));
        methods.push((true, context.method_of(*helper)?));
        methods.extend(after.iter().flat_map(fixtures).map(|d| (false, d)));
        for (is_body, declared) in methods {
            let (text, any) = phase(context, &declared, target, open, &mut rendered);
            opened |= any;
            if !text.is_empty() {
                phases.push((is_body, text));
            }
        }
    }
    if phases.is_empty() || (open && !opened) {
        return None;
    }
    if let [(true, only)] = phases.as_slice() {
        rendered.text.clone_from(only);
        return Some(rendered);
    }
    rendered.body_block = phases.iter().position(|(is_body, _)| *is_body);
    let blocks: Vec<String> = phases
        .into_iter()
        .map(|(_, text)| format!("{{\n{text}\n}}"))
        .collect();
    rendered.text = blocks.join("\n");
    Some(rendered)
}

/// The statements of a method, as they can be written at a target; and whether some were taken out of others.
fn phase(
    context: &Context<'_>,
    declared: &Declared,
    target: &Target,
    open: bool,
    rendered: &mut Rendered,
) -> (String, bool) {
    let source = &context.file(declared.file).source;
    let method = &declared.method;
    let units = source.units(&method.body, method.body.start);
    rendered.statements += units.len();
    let foreign = !target.scope.contains(&method.class);
    let members = source.members_of(&method.class);
    let names = source.free_names(&method.body);
    let own = source.local_names(method);
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for (number, unit) in units.list.iter().enumerate() {
        let of_instance = |(range, name): &(Range<usize>, String)| {
            unit.range.contains(&range.start) && members.of_instance.contains(name) && !own.contains(name)
        };
        // What is taken out of a lambda would leave the method.
        let leaves = unit.leaves && (open || unit.body == method.body.start);
        let uses_object = foreign && (source.names_this(&unit.range) || names.iter().any(of_instance));
        // Only the innermost statement goes, if the rest can stay.
        let innermost = !units.list.iter().any(|u| u.parent == Some(number));
        if leaves || (uses_object && innermost) || (uses_object && uses_itself(source, &units, number)) {
            dropped.insert(number);
        }
    }
    let kept = units.without(&dropped);
    let mut edits: BTreeMap<usize, (Range<usize>, String)> = BTreeMap::new();
    let in_kept = |at: usize| {
        let around = units.list.iter().enumerate().rev();
        let mut around = around.filter(|(_, u)| u.range.contains(&at));
        around.next().is_some_and(|(u, _)| kept.contains(&u))
    };
    for (range, name) in names.into_iter().filter(|(r, _)| in_kept(r.start)) {
        if own.contains(&name) {
            if let Some(other) = other_name(&name, &own, &target.locals) {
                edits.insert(range.start, (range, other));
            }
            continue;
        }
        if foreign && (members.of_class.contains(&name) || members.types.contains(&name)) {
            let class = method.class.replace('$', ".");
            let text = format!("{}{class}{}.{name}", TYPE.0, TYPE.1);
            edits.insert(range.start, (range, text));
            continue;
        }
        if declared.file != target.file {
            needed(context, declared.file, target.file, &name, &mut rendered.imports);
        }
    }
    let opened: BTreeSet<usize> = match open {
        true => units.openable().intersection(&kept).copied().collect(),
        false => BTreeSet::new(),
    };
    let statements = (0..units.len()).filter(|u| kept.contains(u) && units.is_outer(*u, &opened));
    let texts: Vec<String> = statements
        .map(|u| {
            let mut cuts = edits.clone();
            for off in units.outermost_off(&kept) {
                if units.is_inside(off, u) {
                    let unit = &units.list[off];
                    let rest = if unit.sole { ";" } else { "" };
                    cuts.insert(unit.range.start, (unit.range.clone(), rest.to_owned()));
                }
            }
            slice(source, &units.list[u].range, &cuts)
        })
        .collect();
    (texts.join("\n"), !opened.is_empty())
}

/// Does a statement use the object itself, and not only by statements inside of it?
fn uses_itself(source: &Source, units: &Units, number: usize) -> bool {
    let unit = &units.list[number];
    let inner: Vec<&Range<usize>> = units
        .list
        .iter()
        .filter(|u| u.parent == Some(number))
        .map(|u| &u.range)
        .collect();
    let mut at = unit.range.start;
    for range in inner {
        if source.names_this(&(at..range.start)) {
            return true;
        }
        at = range.end;
    }
    source.names_this(&(at..unit.range.end))
}

/// A name for a variable where its own is taken.
fn other_name(name: &str, own: &BTreeSet<String>, taken: &BTreeSet<String>) -> Option<String> {
    if !taken.contains(name) {
        return None;
    }
    let mut numbers = 2..;
    numbers.find_map(|n| {
        let other = format!("{name}{n}");
        (!taken.contains(&other) && !own.contains(&other)).then_some(other)
    })
}

/// What must be imported for a name to mean in another file what it means here.
fn needed(context: &Context<'_>, from: usize, to: usize, name: &str, imports: &mut BTreeSet<Needed>) {
    let (here, there) = (&context.file(from).source, &context.file(to).source);
    let suite = &context.setup.suite;
    let list = here.import_list();
    if let Some(import) = list.iter().find(|i| i.simple() == Some(name)) {
        imports.insert(Needed {
            name: import.name.clone(),
            is_static: import.is_static,
        });
        return;
    }
    let capital = name.starts_with(|c: char| c.is_uppercase());
    let own = match here.package.as_str() {
        "" => name.to_owned(),
        package => format!("{package}.{name}"),
    };
    if capital && suite.has_class(&own) {
        if here.package != there.package && !here.package.is_empty() {
            imports.insert(Needed {
                name: own,
                is_static: false,
            });
        }
        return;
    }
    for star in list
        .iter()
        .filter(|i| i.simple().is_none() && i.is_static != capital)
    {
        let package = star.name.trim_end_matches('*');
        if capital && suite.has_class(&format!("{package}{name}")) {
            imports.insert(Needed {
                name: format!("{package}{name}"),
                is_static: false,
            });
            return;
        }
        if (capital && package.starts_with("java")) || star.is_static {
            imports.insert(Needed {
                name: star.name.clone(),
                is_static: star.is_static,
            });
        }
    }
}

/// A part of a file with some of its ranges replaced, without the indentation of its first line.
fn slice(source: &Source, part: &Range<usize>, edits: &BTreeMap<usize, (Range<usize>, String)>) -> String {
    let mut text = String::new();
    let mut done = part.start;
    for (range, with) in edits.range(part.clone()).map(|(_, e)| e) {
        if range.start >= done {
            text.push_str(source.of(&(done..range.start)));
            text.push_str(with);
            done = range.end;
        }
    }
    text.push_str(source.of(&(done..part.end)));
    let line = source.text.whole_lines(&(part.start..part.start + 1));
    let before = source.of(&(line.start..part.start));
    let indent: String = before.chars().take_while(|c| c.is_whitespace()).collect();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    let rest = lines.map(|l| l.strip_prefix(indent.as_str()).unwrap_or(l).to_owned());
    let all: Vec<String> = std::iter::once(first).chain(rest).collect();
    all.join("\n")
}

/// Code with the full names of its classes.
pub fn in_full(code: &str) -> String {
    code.replace([TYPE.0, TYPE.1], "")
}
