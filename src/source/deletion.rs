//! Deleting statements: the text without one, and whether a compiler takes it.

use crate::source::compiler::{Compiler, Problem, Unit};
use crate::source::tree::{Method, Source, Statement};
use std::ops::Range;

/// What is written where a statement was.
pub fn left_over(statement: &Statement) -> &'static str {
    if statement.sole { ";" } else { "" }
}

/// The file without a statement; everything else stays where it is.
pub fn without(source: &Source, statement: &Statement) -> String {
    let text = &source.text.text;
    let (before, after) = (&text[..statement.range.start], &text[statement.range.end..]);
    [before, left_over(statement), after].concat()
}

/// A statement that may be deleted from a method.
pub struct Candidate<'a> {
    pub method: &'a Method,
    pub statement: &'a Statement,
}

/// A file and what may be deleted from it.
pub struct Candidates<'a> {
    pub path: String,
    pub source: &'a Source,
    pub list: Vec<Candidate<'a>>,
}

/// Characters of source that the compiler is given at once.
const MOST_TEXT: usize = 8 << 20;

/// Which deletions compile, by file and candidate.
///
/// Bodies of methods are compiled independently of each other, so a file is checked with one more method for every deletion,
/// a copy of the method without the statement: one compilation tells about all of them. If the compiler complains about
/// anything else, the deletions of that file are tried one by one.
pub fn compiles(compiler: &mut Compiler, files: &[Candidates<'_>]) -> Result<Vec<Vec<bool>>, String> {
    let mut valid: Vec<Vec<bool>> = files.iter().map(|f| vec![true; f.list.len()]).collect();
    let mut at = 0;
    while at < files.len() {
        let mut size = 0;
        let mut end = at;
        while end < files.len() && (end == at || size < MOST_TEXT) {
            let copies: usize = files[end].list.iter().map(|c| c.method.range.len()).sum();
            size += files[end].source.text.text.len() + copies;
            end += 1;
        }
        check(compiler, &files[at..end], &mut valid[at..end])?;
        at = end;
    }
    Ok(valid)
}

fn check(compiler: &mut Compiler, files: &[Candidates<'_>], valid: &mut [Vec<bool>]) -> Result<(), String> {
    let mut alone: Vec<bool> = vec![false; files.len()];
    loop {
        let taken: Vec<usize> = (0..files.len())
            .filter(|i| !alone[*i] && valid[*i].contains(&true))
            .collect();
        if taken.is_empty() {
            break;
        }
        let copies: Vec<Copies> = taken.iter().map(|i| Copies::of(&files[*i], &valid[*i])).collect();
        let units: Vec<Unit<'_>> = taken
            .iter()
            .zip(&copies)
            .map(|(i, c)| Unit {
                path: &files[*i].path,
                text: &c.text,
            })
            .collect();
        let problems = compiler.check(&units)?;
        if problems.is_empty() {
            break;
        }
        // An error hides what later stages would find: again without what is known to be wrong.
        for problem in &problems {
            let Some(unit) = problem.unit else {
                alone.iter_mut().for_each(|a| *a = true);
                continue;
            };
            match copies[unit].which(problem) {
                Some(candidate) => valid[taken[unit]][candidate] = false,
                None => alone[taken[unit]] = true,
            }
        }
    }
    for (i, file) in files.iter().enumerate().filter(|(i, _)| alone[*i]) {
        for (j, candidate) in file.list.iter().enumerate() {
            let text = without(file.source, candidate.statement);
            let unit = Unit {
                path: &file.path,
                text: &text,
            };
            valid[i][j] = compiler.check(&[unit])?.is_empty();
        }
    }
    Ok(())
}

/// A file with a copy of a method for each deletion.
struct Copies {
    text: String,
    /// Where each candidate's copy is, in UTF-16 units.
    places: Vec<(usize, Range<usize>)>,
}

impl Copies {
    fn of(file: &Candidates<'_>, valid: &[bool]) -> Copies {
        let mut order: Vec<usize> = (0..file.list.len()).filter(|i| valid[*i]).collect();
        order.sort_by_key(|i| file.list[*i].method.range.end);
        let original = &file.source.text.text;
        let mut copies = Copies {
            text: String::new(),
            places: Vec::new(),
        };
        let (mut units, mut done) = (0, 0);
        let mut push = |copies: &mut Copies, part: &str| {
            copies.text.push_str(part);
            units += part.encode_utf16().count();
            units
        };
        for i in order {
            let Candidate { method, statement } = &file.list[i];
            let start = push(&mut copies, &original[done..method.range.end]);
            done = method.range.end;
            let copy = copy(file.source, method, statement, i);
            let end = push(&mut copies, &copy);
            copies.places.push((i, start..end));
        }
        push(&mut copies, &original[done..]);
        copies
    }

    /// The candidate whose copy a problem is about.
    fn which(&self, problem: &Problem) -> Option<usize> {
        let position = problem.position?;
        let place = self.places.iter().find(|(_, place)| place.contains(&position));
        place.map(|(candidate, _)| *candidate)
    }
}

/// A method without a statement, under another name and without annotations: it overrides and is nothing.
fn copy(source: &Source, method: &Method, statement: &Statement, number: usize) -> String {
    let text = &source.text.text;
    let mut changes: Vec<(Range<usize>, String)> = vec![
        (
            method.name_range.clone(),
            format!("{}$without${number}", method.name),
        ),
        (statement.range.clone(), left_over(statement).to_owned()),
    ];
    changes.extend(method.annotations.iter().map(|(_, r)| (r.clone(), String::new())));
    changes.sort_by_key(|(range, _)| range.start);
    let mut copy = String::from("\n");
    let mut done = method.range.start;
    for (range, with) in changes {
        copy.push_str(&text[done..range.start]);
        copy.push_str(&with);
        done = range.end;
    }
    copy.push_str(&text[done..method.range.end]);
    copy
}
