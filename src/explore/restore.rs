//! Which changes of a test matter to a test after it: the smallest set of places whose restoring between the two turns the
//! outcome of the second, with the stacks of their reads.

use crate::explore::answer::Answer;
use crate::explore::ddmin::ddmin;
use poldet_records::{SearchPlace, UndoUnit};

/// Changes that are tried one by one where putting back all of them does not help.
const MOST_SINGLES: usize = 200;

/// A sequence that can be repeated with some changes of its last test but one put back.
pub trait Trial {
    /// Repeats it with these changes put back; says who reads those of `reads` in the last test. None if no process could be had.
    fn run(&self, put_back: &[usize], reads: Option<&[usize]>) -> Option<Answer>;

    /// Whether the last test has ended as it would without the changes; None if it did not run.
    fn is_turned(&self, answer: &Answer) -> Option<bool>;

    fn turns(&self, put_back: &[usize]) -> Option<bool> {
        self.is_turned(&self.run(put_back, None)?)
    }
}

/// The places to blame; none if restoring cannot help.
pub fn places(trial: &impl Trial) -> Vec<SearchPlace> {
    let Some(first) = trial.run(&[], None) else {
        return Vec::new();
    };
    let units = first.changed;
    let visible: Vec<usize> = (0..units.len()).filter(|i| !units[*i].hidden).collect();
    let all: Vec<usize> = (0..units.len()).collect();
    // What rules hide is put back only where the rest does not explain it.
    for set in [&visible, &all] {
        if set.is_empty() || trial.turns(set) != Some(true) {
            continue;
        }
        let chosen = ddmin(set.len(), |part| {
            let part: Vec<usize> = part.iter().map(|i| set[*i]).collect();
            trial.turns(&part)
        });
        let chosen: Vec<usize> = chosen.into_iter().map(|i| set[i]).collect();
        return with_reads(trial, units, &chosen);
    }
    // Some of the changes may not be put back without harm, such as half of what a library sets up at its first use: then
    // one of the others may explain it alone. What the last test reads comes first.
    let reads = trial.run(&[], Some(&all)).map(|a| a.reads).unwrap_or_default();
    let mut single = all;
    single.sort_by_key(|i| (!reads.iter().any(|r| r.unit == *i), units[*i].hidden));
    let mut single = single.into_iter().take(MOST_SINGLES);
    let found = single.find(|i| trial.turns(&[*i]) == Some(true));
    found.map_or_else(Vec::new, |i| with_reads(trial, units, &[i]))
}

/// The places of these changes, with the stack of the first read in the last test. Where that fails before it comes to
/// one of them, that one is watched in a run in which the others are put back.
fn with_reads(trial: &impl Trial, mut units: Vec<UndoUnit>, chosen: &[usize]) -> Vec<SearchPlace> {
    let reads_of = |put_back: &[usize], watched: &[usize]| {
        let answer = trial.run(put_back, Some(watched));
        answer.map(|a| a.reads).unwrap_or_default()
    };
    let mut reads = reads_of(&[], chosen);
    for unit in chosen {
        if chosen.len() > 1 && !reads.iter().any(|r| r.unit == *unit) {
            let others: Vec<usize> = chosen.iter().copied().filter(|i| i != unit).collect();
            reads.extend(reads_of(&others, &[*unit]));
        }
    }
    for read in reads {
        if let Some(unit) = units.get_mut(read.unit) {
            unit.places
                .iter_mut()
                .for_each(|p| p.read_at.clone_from(&read.read_at));
        }
    }
    chosen.iter().flat_map(|i| units[*i].places.clone()).collect()
}
