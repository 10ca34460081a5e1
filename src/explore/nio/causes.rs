//! Which state makes a test fail when it runs again: the smallest set of places whose restoring between the two runs makes
//! the second pass.

use crate::explore::answer::Answer;
use crate::explore::ddmin::ddmin;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::nio::runs::Tried;
use crate::explore::process::Process;
use crate::explore::wire::{Fork, Hold, Undo, Watch};
use poldet_records::{NioMode, Outcome, Record, SearchPlace, UndoUnit};
use std::sync::Arc;

/// Changes that are tried one by one where putting back all of them does not help.
const MOST_SINGLES: usize = 200;

/// The two runs of a test as the mode has them that shows it, to be repeated with some of the changes put back.
struct Trial<'a, 'e> {
    explorer: &'a Explorer<'e>,
    from: Option<Arc<Process>>,
    fork: Fork,
    /// How many tests end before the first of the two runs.
    after: u32,
    test: &'a Member,
}

impl Trial<'_, '_> {
    /// Runs it with these changes of the first run put back.
    fn run(&self, put_back: &[usize]) -> Option<Answer> {
        self.watch(put_back, None)
    }

    /// The same; says who reads these changes in the second run.
    fn watch(&self, put_back: &[usize], reads: Option<&[usize]>) -> Option<Answer> {
        let folder = self.explorer.folder().ok()?;
        let mut fork = self.fork.clone();
        fork.undo = Some(Undo {
            after: self.after,
            put_back: put_back.to_vec(),
            folder: folder.dir.display().to_string(),
        });
        fork.watch = reads.map(|units| Watch {
            units: units.to_vec(),
            reader: self.after + 1,
        });
        self.explorer.probe(self.from.as_ref(), fork).ok()
    }

    /// Whether the second run passes then; None if one of the runs did not take place.
    fn passes(&self, put_back: &[usize]) -> Option<bool> {
        let answer = self.run(put_back)?;
        let runs: Vec<&Record> = answer
            .records
            .iter()
            .filter(|r| r.test.key() == self.test.test.key())
            .collect();
        let second = runs.get(1)?.outcome;
        matches!(second, Outcome::Passed | Outcome::Failed | Outcome::Error)
            .then_some(second == Outcome::Passed)
    }
}

impl Trial<'_, '_> {
    /// The places of these changes, with the stack of the first read in the second run. Where that fails before it comes to
    /// one of them, that one is watched in a run in which the others are put back.
    fn with_reads(&self, mut units: Vec<UndoUnit>, chosen: &[usize]) -> Vec<SearchPlace> {
        let reads_of = |put_back: &[usize], watched: &[usize]| {
            let answer = self.watch(put_back, Some(watched));
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
}

/// The places to blame; none if restoring cannot help.
pub fn causes(
    explorer: &Explorer<'_>,
    classes: &[Class],
    tried: &Tried,
    mode: NioMode,
) -> Result<Vec<SearchPlace>, String> {
    // Without a process for it nothing is known of the causes; the verdict stands.
    let Ok(trial) = trial(explorer, classes, tried, mode) else {
        return Ok(Vec::new());
    };
    let Some(first) = trial.run(&[]) else {
        return Ok(Vec::new());
    };
    let units = first.changed;
    let visible: Vec<usize> = (0..units.len()).filter(|i| !units[*i].hidden).collect();
    let all: Vec<usize> = (0..units.len()).collect();
    // What rules hide is put back only where the rest does not explain it.
    for set in [&visible, &all] {
        if set.is_empty() || trial.passes(set) != Some(true) {
            continue;
        }
        let chosen = ddmin(set.len(), |part| {
            let part: Vec<usize> = part.iter().map(|i| set[*i]).collect();
            trial.passes(&part)
        });
        let chosen: Vec<usize> = chosen.into_iter().map(|i| set[i]).collect();
        return Ok(trial.with_reads(units, &chosen));
    }
    // Some of the changes may not be put back without harm, such as half of what a library sets up at its first use: then
    // one of the others may explain it alone.
    let single = visible.iter().chain(all.iter().filter(|i| units[**i].hidden));
    let found = single
        .take(MOST_SINGLES)
        .find(|i| trial.passes(&[**i]) == Some(true));
    let found = found.copied();
    Ok(found.map_or_else(Vec::new, |i| trial.with_reads(units, &[i])))
}

fn trial<'a, 'e>(
    explorer: &'a Explorer<'e>,
    classes: &'a [Class],
    tried: &Tried,
    mode: NioMode,
) -> Result<Trial<'a, 'e>, String> {
    let (number, position) = tried.at;
    let class = &classes[number];
    let test = &class.tests[position];
    let before = match mode {
        NioMode::IsolatedMethod => &[][..],
        NioMode::IsolatedClass | NioMode::EntireSuite => &class.tests[..position],
    };
    let earlier = match mode {
        NioMode::EntireSuite => &classes[..number],
        _ => &[],
    };
    // What comes before the class runs once for all trials.
    let suite = after_classes(explorer, earlier)?;
    let discovers = Fork {
        steps: vec![class.step(Vec::new())],
        hold: Hold::AfterDiscovery,
        ..Fork::default()
    };
    let from = explorer.fork_from(suite.as_ref(), discovers)?;
    Answer::of(&from);
    let twice = before.iter().chain([test]).flat_map(|t| [t, t]);
    let fork = Fork {
        chosen: Some(twice.map(|t| t.test.id.clone()).collect()),
        ..Fork::default()
    };
    Ok(Trial {
        explorer,
        from: Some(from),
        fork,
        after: 2 * before.len() as u32,
        test,
    })
}

/// A process in which the tests of these classes have run, each twice; none where there are no classes.
fn after_classes(explorer: &Explorer<'_>, classes: &[Class]) -> Result<Option<Arc<Process>>, String> {
    if classes.is_empty() {
        return Ok(None);
    }
    let twice: Vec<&Member> = classes
        .iter()
        .flat_map(|c| &c.tests)
        .flat_map(|t| [t, t])
        .collect();
    let runs = Fork {
        steps: steps(&twice),
        hold: Hold::AfterSteps,
        ..Fork::default()
    };
    let process = explorer.fork_from(None, runs)?;
    Answer::of(&process);
    Ok(Some(process))
}
