//! Which state makes a test fail when it runs again: the smallest set of places whose restoring between the two runs makes
//! the second pass.

use crate::explore::answer::Answer;
use crate::explore::ddmin::ddmin;
use crate::explore::explorer::{Class, Explorer, Member, steps};
use crate::explore::nio::runs::Tried;
use crate::explore::process::Process;
use crate::explore::wire::{Fork, Undo};
use poldet_records::{NioMode, Outcome, Record, SearchPlace};
use std::sync::Arc;

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
        let folder = self.explorer.folder().ok()?;
        let mut fork = self.fork.clone();
        fork.undo = Some(Undo {
            after: self.after,
            put_back: put_back.to_vec(),
            folder: folder.dir.display().to_string(),
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

/// The places to blame; none if restoring cannot help.
pub fn causes(
    explorer: &Explorer<'_>,
    classes: &[Class],
    tried: &Tried,
    mode: NioMode,
) -> Result<Vec<SearchPlace>, String> {
    let trial = trial(explorer, classes, tried, mode)?;
    let Some(first) = trial.run(&[]) else {
        return Ok(Vec::new());
    };
    let units = first.changed;
    let visible: Vec<usize> = (0..units.len()).filter(|i| !units[*i].hidden).collect();
    let all: Vec<usize> = (0..units.len()).collect();
    // What rules hide is put back only where the rest does not explain it.
    for set in [visible, all] {
        if set.is_empty() || trial.passes(&set) != Some(true) {
            continue;
        }
        let chosen = ddmin(set.len(), |part| {
            let part: Vec<usize> = part.iter().map(|i| set[*i]).collect();
            trial.passes(&part)
        });
        let places = chosen.into_iter().flat_map(|i| units[set[i]].places.clone());
        return Ok(places.collect());
    }
    Ok(Vec::new())
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
    let before: Vec<&Member> = match mode {
        NioMode::IsolatedMethod => Vec::new(),
        NioMode::IsolatedClass => class.tests[..position].iter().collect(),
        NioMode::EntireSuite => {
            let classes = classes[..number].iter().flat_map(|c| &c.tests);
            classes.chain(&class.tests[..position]).collect()
        }
    };
    let twice: Vec<&Member> = before.iter().chain([&test]).flat_map(|t| [*t, *t]).collect();
    let mut fork = Fork::default();
    let mut from = None;
    if mode == NioMode::EntireSuite {
        fork.steps = steps(&twice);
    } else {
        from = Some(explorer.discover(class)?.0);
        fork.chosen = Some(twice.iter().map(|t| t.test.id.clone()).collect());
    }
    Ok(Trial {
        explorer,
        from,
        fork,
        after: 2 * before.len() as u32,
        test,
    })
}
