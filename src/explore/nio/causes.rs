//! Which state makes a test fail when it runs again: the smallest set of places whose restoring between the two runs makes
//! the second pass.

use crate::explore::answer::Answer;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::nio::runs::Tried;
use crate::explore::process::Process;
use crate::explore::restore::{Trial, places};
use crate::explore::wire::{Fork, Hold, Undo, Watch};
use poldet_records::{NioMode, Outcome, Record, SearchPlace};
use std::sync::Arc;

/// The two runs of a test as the mode has them that shows it, to be repeated with some of the changes put back.
struct TwoRuns<'a, 'e> {
    explorer: &'a Explorer<'e>,
    from: Option<Arc<Process>>,
    fork: Fork,
    /// How many tests end before the first of the two runs.
    after: u32,
    test: &'a Member,
}

impl Trial for TwoRuns<'_, '_> {
    fn run(&self, put_back: &[usize], reads: Option<&[usize]>) -> Option<Answer> {
        let folder = self.explorer.folder().ok()?;
        let mut fork = self.fork.clone();
        fork.undo = Some(Undo {
            after: self.after,
            put_back: put_back.to_vec(),
            folder: folder.dir.display().to_string(),
            ..Undo::default()
        });
        fork.watch = reads.map(|units| Watch {
            units: units.to_vec(),
            reader: self.after + 1,
        });
        self.explorer.probe(self.from.as_ref(), fork).ok()
    }

    /// Whether the second run passes.
    fn is_turned(&self, answer: &Answer) -> Option<bool> {
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

/// The places to blame; none if restoring cannot help. Without a process for it nothing is known of the causes; the verdict
/// stands.
pub fn causes(explorer: &Explorer<'_>, classes: &[Class], tried: &Tried, mode: NioMode) -> Vec<SearchPlace> {
    trial(explorer, classes, tried, mode).map_or_else(|_| Vec::new(), |trial| places(&trial))
}

fn trial<'a, 'e>(
    explorer: &'a Explorer<'e>,
    classes: &'a [Class],
    tried: &Tried,
    mode: NioMode,
) -> Result<TwoRuns<'a, 'e>, String> {
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
    let ids = |tests: &[Member]| -> Vec<String> {
        let twice = tests.iter().flat_map(|t| [t, t]);
        twice.map(|t| t.test.id.clone()).collect()
    };
    let last = ids(std::slice::from_ref(test));
    // So do the tests before it, where the class can be held between two of its tests.
    for (shared, hold) in [
        (ids(before), Hold::AfterTests),
        (Vec::new(), Hold::AfterDiscovery),
    ] {
        let after = (2 * before.len() - shared.len()) as u32;
        let begins = Fork {
            steps: vec![class.step(shared)],
            hold,
            ..Fork::default()
        };
        let from = explorer.fork_from(suite.as_ref(), begins)?;
        if !Answer::of(&from).holding && hold == Hold::AfterTests {
            continue;
        }
        let own = if after == 0 {
            last
        } else {
            [ids(before), last].concat()
        };
        let fork = Fork {
            chosen: Some(own),
            ..Fork::default()
        };
        return Ok(TwoRuns {
            explorer,
            from: Some(from),
            fork,
            after,
            test,
        });
    }
    Err(format!("no process for {}", class.name))
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
