//! All candidates in one set of classes: each is a block at the places where it could go, compiled once, and switched on and off
//! by its bytecode. What does not compile is left out.

use crate::explore::fix::candidates::{self, Candidate, Needed, Rendered, SAVED, Target, in_full};
use crate::explore::fix::classes::marked;
use crate::explore::fix::context::{Context, Flavour, When};
use crate::explore::fix::resets::Reset;
use crate::explore::wire::Off;
use crate::source::ranges;
use crate::source::text::Text;
use crate::source::tree::{Method, Source};
use crate::source::units::Units;
use poldet_records::PatchSide;
use poldet_vm::classfile::ClassFile;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where statements can be put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    Start(Method),
    End(Method),
    /// A fixture of the class that is there, or a new one.
    Fixture(When, Option<Method>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub file: usize,
    /// A test of the class.
    pub test: usize,
    pub class: String,
    pub at: At,
}

/// Places that are changed together.
#[derive(Clone, Debug)]
pub struct Plan {
    pub side: PatchSide,
    pub spots: Vec<Spot>,
}

impl Plan {
    /// All of it is at the ends of tests.
    pub fn is_at_ends(&self) -> bool {
        self.spots.iter().all(|s| matches!(s.at, At::End(_)))
    }

    /// A value from before the test can come there: by a variable of the method, or a field of the test's own instance.
    pub fn takes_saved(&self, context: &Context<'_>) -> bool {
        self.spots.iter().all(|s| match s.at {
            At::End(_) => true,
            At::Fixture(When::After, _) => context.flavour(s.test) != Flavour::JUnit3,
            _ => false,
        })
    }
}

impl Spot {
    pub fn target(&self, context: &Context<'_>) -> Target {
        let source = &context.file(self.file).source;
        let locals = match &self.at {
            At::Start(method) | At::End(method) | At::Fixture(_, Some(method)) => source.local_names(method),
            At::Fixture(_, None) => BTreeSet::new(),
        };
        Target {
            file: self.file,
            locals,
            scope: context.classes_of(self.test),
        }
    }

    fn method(&self) -> Option<&Method> {
        match &self.at {
            At::Start(method) | At::End(method) => Some(method),
            At::Fixture(_, method) => method.as_ref(),
        }
    }

    /// Before the other statements of the method, or after them.
    fn is_start(&self) -> bool {
        matches!(
            self.at,
            At::Start(_) | At::Fixture(When::Before | When::BeforeClass, _)
        )
    }
}

/// A candidate at a spot, in the woven text.
#[derive(Clone, Debug)]
pub struct Block {
    pub file: usize,
    /// Which of the plan's spots.
    pub spot: usize,
    pub range: Range<usize>,
    pub body: usize,
    pub units: Units,
    /// Runs as a whole: it keeps a value for another block, or calls the method that holds the statements.
    pub is_whole: bool,
    whole: Vec<Off>,
    by_unit: Vec<Option<Vec<Off>>>,
}

/// A candidate in a plan.
#[derive(Clone, Debug)]
pub struct Entry {
    pub plan: usize,
    pub candidate: usize,
    /// What is written at each spot.
    texts: Vec<String>,
    pub rendered: Vec<Rendered>,
    pub blocks: Vec<Block>,
    /// The statements are a method there.
    pub home: Option<Home>,
    /// Why it cannot be tried.
    pub gone: Option<String>,
}

/// A class that gets a method with the statements of one of its tests.
#[derive(Clone, Debug)]
pub struct Home {
    pub file: usize,
    pub class: String,
    name: String,
    text: String,
}

/// Stands for the home of an entry where a spot is named.
const HOME: usize = usize::MAX;
/// Stands for the method in which an entry saves a value, where a plan is named.
const SAVES: usize = usize::MAX - 1;

impl Entry {
    /// The blocks that hold its statements.
    pub fn parts(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(|b| !b.is_whole)
    }

    /// Can the unit be left out by itself?
    pub fn can_drop(&self, unit: usize) -> bool {
        self.parts().all(|b| b.by_unit[unit].is_some())
    }
}

pub struct Woven {
    pub sources: BTreeMap<usize, Source>,
    pub classes: Vec<(String, Vec<u8>)>,
    pub entries: Vec<Entry>,
}

impl Woven {
    /// What must not run for only these candidates to run, each with these of its statements.
    pub fn off(&self, on: &[(usize, &BTreeSet<usize>)]) -> Vec<Off> {
        let mut off = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let chosen = on.iter().find(|(e, _)| *e == number).map(|(_, kept)| kept);
            for block in &entry.blocks {
                match chosen {
                    None => off.extend(block.whole.clone()),
                    Some(_) if block.is_whole => {}
                    Some(kept) => {
                        for unit in block.units.outermost_off(kept) {
                            off.extend(block.by_unit[unit].clone().unwrap_or_default());
                        }
                    }
                }
            }
        }
        off
    }
}

/// Compilations after which what still does not compile is given up.
const MOST_ROUNDS: usize = 12;

pub fn weave(
    context: &Context<'_>,
    plans: &[Plan],
    candidates: &[Candidate],
    wanted: &[(usize, usize)],
) -> Result<Woven, String> {
    let mut entries: Vec<Entry> = wanted
        .iter()
        .filter_map(|(plan, candidate)| entry(context, plans, candidates, *plan, *candidate))
        .collect();
    for _ in 0..MOST_ROUNDS {
        entries.retain(|e| e.gone.is_none());
        if entries.is_empty() {
            return Err("no candidate compiles".into());
        }
        let mut composed = compose(context, plans, candidates, &mut entries)?;
        let texts: Vec<(usize, &str)> = composed.iter().map(|(f, s)| (*f, s.text.text.as_str())).collect();
        let compiled = context.compile(&texts)?;
        if compiled.problems.is_empty() {
            let classes = keep(compiled.classes);
            if switch(&composed, &classes, &mut entries) {
                let classes = classes
                    .into_iter()
                    .map(|(name, file)| (name, file.bytes.to_vec()))
                    .collect();
                let sources = std::mem::take(&mut composed);
                return Ok(Woven {
                    sources,
                    classes,
                    entries,
                });
            }
            continue;
        }
        let files: Vec<usize> = composed.keys().copied().collect();
        drop_wrong(candidates, &composed, &files, &compiled.problems, &mut entries)?;
    }
    Err("the candidates cannot be compiled together".into())
}

fn entry(
    context: &Context<'_>,
    plans: &[Plan],
    candidates: &[Candidate],
    plan: usize,
    candidate: usize,
) -> Option<Entry> {
    let mut rendered = Vec::new();
    let mut home = None;
    if let Candidate::Call(test) = &candidates[candidate] {
        let (at, inside) = home_of(context, *test, format!("poldetHelper{plan}x{candidate}"))?;
        let call = format!("new {}().{}();", marked(&at.class), at.name);
        for _ in &plans[plan].spots {
            rendered.push(Rendered {
                text: call.clone(),
                ..inside.clone()
            });
        }
        home = Some(at);
    }
    for spot in &plans[plan].spots {
        let target = spot.target(context);
        rendered.push(match &candidates[candidate] {
            Candidate::Helper(tests) => candidates::helper(context, tests, &target, false)?,
            Candidate::Opened(tests) => candidates::helper(context, tests, &target, true)?,
            Candidate::Call(_) => break,
            Candidate::Reset(reset) => Rendered {
                text: reset.code.join("\n"),
                statements: reset.code.len(),
                ..Rendered::default()
            },
        });
    }
    Some(Entry {
        plan,
        candidate,
        texts: rendered.iter().map(|r| r.text.clone()).collect(),
        rendered,
        blocks: Vec::new(),
        home,
        gone: None,
    })
}

/// The class of a helper, and its statements as a method there.
fn home_of(context: &Context<'_>, test: usize, name: String) -> Option<(Home, Rendered)> {
    let declared = context.method_of(test)?;
    let class = context.tests.member(test).test.class.clone();
    // An instance of an inner class needs one of the class around it.
    if class != declared.method.class || class.contains('$') {
        return None;
    }
    let target = Target {
        file: declared.file,
        locals: BTreeSet::new(),
        scope: context.classes_of(test),
    };
    let rendered = candidates::helper(context, &[test], &target, false)?;
    let home = Home {
        file: declared.file,
        class,
        name,
        text: rendered.text.clone(),
    };
    Some((home, rendered))
}

/// A change of a file while it is woven.
enum Piece {
    Text(String),
    /// The text of an entry at a spot, and whether it is what saves a value.
    Block(usize, usize, bool),
    /// A method begins, whose blocks follow.
    Opens(usize, usize, String),
}

fn compose(
    context: &Context<'_>,
    plans: &[Plan],
    candidates: &[Candidate],
    entries: &mut [Entry],
) -> Result<BTreeMap<usize, Source>, String> {
    let mut pieces: BTreeMap<usize, Vec<(Range<usize>, Piece)>> = BTreeMap::new();
    let mut imports: BTreeMap<usize, BTreeSet<Needed>> = BTreeMap::new();
    let mut widened: Vec<(usize, usize)> = Vec::new();
    for (p, plan) in plans.iter().enumerate() {
        for (s, spot) in plan.spots.iter().enumerate() {
            let here: Vec<usize> = (0..entries.len()).filter(|e| entries[*e].plan == p).collect();
            if here.is_empty() {
                continue;
            }
            let source = &context.file(spot.file).source;
            let list = pieces.entry(spot.file).or_default();
            let (start, end) = match spot.method() {
                Some(method) => {
                    if !widened.contains(&(spot.file, method.range.start)) {
                        widened.push((spot.file, method.range.start));
                        list.extend(widen(source, method));
                    }
                    (method.body.start + 1, method.body.end - 1)
                }
                None => {
                    let body = source.class_body(&spot.class).ok_or("a class without a body")?;
                    let at = body.end - 1;
                    (at, at)
                }
            };
            if let At::Fixture(..) = &spot.at {
                let body = source.class_body(&spot.class).ok_or("a class without a body")?;
                save_in_fixtures(context, candidates, entries, &here, spot, s, body.end - 1, list);
            }
            if let At::Fixture(when, None) = &spot.at {
                let header = fixture_header(
                    context.flavour(spot.test),
                    *when,
                    &format!("poldetFixture{p}x{s}"),
                );
                list.push((start..start, Piece::Opens(p, s, header)));
            }
            for e in &here {
                let entry = &entries[*e];
                imports
                    .entry(spot.file)
                    .or_default()
                    .extend(entry.rendered[s].imports.iter().cloned());
                if let Candidate::Reset(reset) = &candidates[entry.candidate]
                    && let Some(save) = &reset.save
                    && matches!(spot.at, At::End(_))
                {
                    let zero = zero(&save.ty);
                    let declaration = format!("\n{} poldetSaved{e} = {zero};\n", in_full(&save.ty));
                    list.push((start..start, Piece::Text(declaration)));
                    list.push((start..start, Piece::Block(*e, s, true)));
                }
                let at = if spot.is_start() { start } else { end };
                list.push((at..at, Piece::Block(*e, s, entry.home.is_some())));
            }
            if let At::Fixture(_, None) = &spot.at {
                list.push((end..end, Piece::Text("\n}\n".into())));
            }
        }
    }
    for (e, entry) in entries.iter().enumerate() {
        let Some(home) = &entry.home else { continue };
        let source = &context.file(home.file).source;
        let body = source.class_body(&home.class).ok_or("a class without a body")?;
        let at = body.end - 1;
        let header = format!("\npublic void {}() throws Exception {{", home.name);
        let list = pieces.entry(home.file).or_default();
        list.push((at..at, Piece::Opens(HOME, e, header)));
        list.push((at..at, Piece::Block(e, HOME, false)));
        list.push((at..at, Piece::Text("\n}\n".into())));
    }
    for entry in entries.iter_mut() {
        entry.blocks.clear();
    }
    let mut sources = BTreeMap::new();
    for (file, mut list) in pieces {
        let original = &context.file(file).source;
        let more = import_text(original, imports.get(&file));
        if let Some(at) = import_place(original) {
            list.push((at..at, Piece::Text(more)));
        }
        let source = compose_file(plans, candidates, entries, original, file, list)?;
        sources.insert(file, source);
    }
    Ok(sources)
}

/// What runs before each test of a class and keeps values in fields, for what runs after each.
#[expect(clippy::too_many_arguments, reason = "what composing a file has at hand")]
fn save_in_fixtures(
    context: &Context<'_>,
    candidates: &[Candidate],
    entries: &[Entry],
    here: &[usize],
    spot: &Spot,
    s: usize,
    at: usize,
    list: &mut Vec<(Range<usize>, Piece)>,
) {
    for e in here {
        let Candidate::Reset(Reset { save: Some(save), .. }) = &candidates[entries[*e].candidate] else {
            continue;
        };
        let field = format!("\n{} poldetSaved{e} = {};\n", in_full(&save.ty), zero(&save.ty));
        list.push((at..at, Piece::Text(field)));
        let name = format!("poldetSave{e}x{s}");
        let header = fixture_header(context.flavour(spot.test), When::Before, &name);
        list.push((at..at, Piece::Opens(SAVES - s, *e, header)));
        list.push((at..at, Piece::Block(*e, s, true)));
        list.push((at..at, Piece::Text("\n}\n".into())));
    }
}

/// A block as it was put into the text.
struct Placed {
    entry: usize,
    spot: usize,
    is_whole: bool,
    range: Range<usize>,
}

fn compose_file(
    plans: &[Plan],
    candidates: &[Candidate],
    entries: &mut [Entry],
    original: &Source,
    file: usize,
    mut list: Vec<(Range<usize>, Piece)>,
) -> Result<Source, String> {
    list.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = String::new();
    let mut done = 0;
    let mut placed: Vec<Placed> = Vec::new();
    // How much longer the text became, and where.
    let mut grown: Vec<(usize, usize, usize)> = Vec::new();
    let mut opened: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (range, piece) in &list {
        text.push_str(original.of(&(done..range.start)));
        done = range.end;
        let before = text.len();
        match piece {
            Piece::Text(more) => text.push_str(more),
            Piece::Opens(plan, spot, header) => {
                text.push_str(header);
                opened.insert((*plan, *spot), text.len() - 1);
            }
            Piece::Block(e, s, is_whole) => {
                let entry = &entries[*e];
                let variable = format!("poldetSaved{e}");
                let code = match (&candidates[entry.candidate], is_whole) {
                    (Candidate::Reset(reset), true) => {
                        let value = reset.save.as_ref().map(|s| s.value.clone()).unwrap_or_default();
                        format!("{variable} = {value};")
                    }
                    _ => match &entry.home {
                        Some(home) if *s == HOME => home.text.clone(),
                        _ => entry.texts[*s].replace(SAVED, &variable),
                    },
                };
                text.push('\n');
                let start = text.len();
                text.push_str(&format!("{{\n{}\n}}", in_full(&code)));
                placed.push(Placed {
                    entry: *e,
                    spot: *s,
                    is_whole: *is_whole,
                    range: start..text.len(),
                });
                text.push('\n');
            }
        }
        grown.push((range.start, range.len(), text.len() - before));
    }
    text.push_str(original.of(&(done..original.text.text.len())));
    let source = Source::parse(Text::new(text))?;
    for Placed {
        entry,
        spot,
        is_whole,
        range,
    } in placed
    {
        let plan = entries[entry].plan;
        let method = match spot {
            HOME => None,
            spot => plans[plan].spots[spot].method(),
        };
        let saves = is_whole && entries[entry].home.is_none();
        let body = match method {
            _ if saves && opened.contains_key(&(SAVES.wrapping_sub(spot), entry)) => {
                opened[&(SAVES.wrapping_sub(spot), entry)]
            }
            Some(method) => {
                let at = method.body.start;
                let before = grown.iter().filter(|(start, _, _)| *start <= at);
                before.fold(at, |at, (_, old, new)| at + new - old)
            }
            None if spot == HOME => opened[&(HOME, entry)],
            None => opened[&(plan, spot)],
        };
        let units = source.units(&range, body);
        entries[entry].blocks.push(Block {
            file,
            spot,
            range,
            body,
            units,
            is_whole,
            whole: Vec::new(),
            by_unit: Vec::new(),
        });
    }
    for entry in entries {
        entry.blocks.sort_by_key(|b| (b.spot, b.is_whole));
    }
    Ok(source)
}

/// Lets a method throw what the statements of others may throw.
fn widen(source: &Source, method: &Method) -> Option<(Range<usize>, Piece)> {
    match source.throws(method) {
        Some(range) if source.of(&range).contains("Throwable") => None,
        Some(range) => Some((range, Piece::Text("throws Exception".into()))),
        None => {
            let at = method.body.start;
            Some((at..at, Piece::Text(" throws Exception ".into())))
        }
    }
}

/// The head of a new fixture, with full names, up to its brace.
pub fn fixture_header(flavour: Flavour, when: When, name: &str) -> String {
    match (flavour.annotation(when), when) {
        (Some(annotation), _) => format!("\n@{annotation} public void {name}() throws Exception {{"),
        (None, When::Before) => "\n@Override protected void setUp() throws Exception {".into(),
        (None, _) => "\n@Override protected void tearDown() throws Exception {".into(),
    }
}

fn zero(ty: &str) -> &'static str {
    match ty {
        "boolean" => "false",
        "byte" | "char" | "double" | "float" | "int" | "long" | "short" => "0",
        _ => "null",
    }
}

/// Where imports can be added: behind the last, or behind the package.
pub fn import_place(source: &Source) -> Option<usize> {
    let last = source.import_list().last().map(|i| i.range.end);
    last.or_else(|| source.package_end()).or(Some(0))
}

fn import_text(source: &Source, needed: Option<&BTreeSet<Needed>>) -> String {
    let there = source.import_list();
    let mut text = String::new();
    for import in needed.into_iter().flatten() {
        let same =
            |i: &crate::source::facts::Import| i.name == import.name && i.is_static == import.is_static;
        if !there.iter().any(same) {
            let kind = if import.is_static { "static " } else { "" };
            text.push_str(&format!(" import {kind}{};", import.name));
        }
    }
    text
}

fn keep(classes: Vec<(String, Vec<u8>)>) -> Vec<(String, &'static ClassFile)> {
    let mut kept = Vec::new();
    for (name, bytes) in classes {
        // Classes of a search live as long as it does.
        let bytes: &'static [u8] = Vec::leak(bytes);
        if let Ok(file) = ClassFile::parse(bytes) {
            kept.push((name, &*Box::leak(Box::new(file))));
        }
    }
    kept
}

/// Finds the bytecode of every block and statement; false if some must be left out first.
fn switch(
    sources: &BTreeMap<usize, Source>,
    classes: &[(String, &'static ClassFile)],
    entries: &mut [Entry],
) -> bool {
    let files: Vec<&'static ClassFile> = classes.iter().map(|(_, f)| *f).collect();
    let mut complete = true;
    for entry in entries.iter_mut() {
        for block in &mut entry.blocks {
            let text = &sources[&block.file].text;
            let of = |body: usize, range: &Range<usize>| -> Option<Vec<Off>> {
                let switches = ranges::switches(&files, text, body, range).ok()?;
                Some(switches.into_iter().map(Off::from).collect())
            };
            let Some(whole) = of(block.body, &block.range) else {
                entry.gone = Some("its statements cannot be told apart in the bytecode".into());
                complete = false;
                break;
            };
            block.whole = whole;
            block.by_unit = block.units.list.iter().map(|u| of(u.body, &u.range)).collect();
        }
    }
    complete
}

/// Leaves out the statements that do not compile.
fn drop_wrong(
    candidates: &[Candidate],
    sources: &BTreeMap<usize, Source>,
    files: &[usize],
    problems: &[crate::source::compiler::Problem],
    entries: &mut [Entry],
) -> Result<(), String> {
    let mut dropped: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for problem in problems {
        let first = problem.message.lines().next().unwrap_or_default();
        let place = problem.unit.and_then(|u| files.get(u)).zip(problem.position);
        let Some((file, position)) = place else {
            return Err(format!("the sources cannot be compiled: {first}"));
        };
        let at = sources[file].text.offset_of_unit(position);
        let inside = |b: &&Block| b.file == *file && b.range.start <= at && at <= b.range.end;
        let found = entries
            .iter()
            .enumerate()
            .find_map(|(e, entry)| entry.blocks.iter().find(inside).map(|b| (e, b)));
        let Some((e, block)) = found else {
            // A variable for a saved value whose type cannot be named here.
            let line = sources[file].text.whole_lines(&(at..at + 1));
            let text = sources[file].of(&line);
            let saved = (0..entries.len()).find(|e| text.contains(&format!(" poldetSaved{e} = ")));
            if let Some(e) = saved {
                entries[e].gone = Some(first.to_owned());
                continue;
            }
            return Err(format!("does not compile: {first}"));
        };
        let unit = block.units.list.iter().rposition(|u| u.range.contains(&at));
        let is_helper = !matches!(candidates[entries[e].candidate], Candidate::Reset(_));
        match unit.filter(|_| is_helper && !block.is_whole) {
            Some(unit) => {
                dropped.entry(e).or_default().insert(unit);
            }
            None => entries[e].gone = Some(first.to_owned()),
        }
    }
    for (e, gone) in dropped {
        let entry = &mut entries[e];
        let parts: Vec<Block> = entry.parts().cloned().collect();
        let mut texts = Vec::new();
        for block in &parts {
            let kept = block.units.without(&gone);
            let top = block.units.list.iter().enumerate();
            let mut top = top.filter(|(_, u)| u.parent.is_none());
            let whole = top.all(|(u, unit)| kept.contains(&u) || unit.kind != "block");
            let text = block.units.texts(&sources[&block.file], &kept).join("\n");
            if text.trim().is_empty() || !whole {
                entry.gone = Some("none of its statements compiles there".into());
            }
            texts.push(text);
        }
        let all = texts.clone();
        match (&mut entry.home, texts.into_iter().next()) {
            (Some(home), Some(text)) => home.text = text,
            _ => entry.texts = all,
        }
    }
    Ok(())
}
