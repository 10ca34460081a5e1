//! Which state a polluter or state-setter left that matters to the test after it.

use crate::explore::answer::Answer;
use crate::explore::od::probe::{Probes, passes, record_of};
use crate::explore::restore::{Trial, places};
use crate::explore::wire::{Fork, Undo, Watch};
use poldet_records::SearchPlace;

/// A sequence whose last test has another outcome than alone.
struct Changed<'s, 'a, 'e> {
    probes: &'s Probes<'a, 'e>,
    sequence: &'s [usize],
    alone: bool,
}

/// The places whose restoring gives the last test of a sequence the outcome that it has alone; none if restoring what the last
/// test before it changed does not help.
pub fn state(probes: &Probes<'_, '_>, sequence: &[usize], alone: bool) -> Vec<SearchPlace> {
    places(&Changed {
        probes,
        sequence,
        alone,
    })
}

impl Trial for Changed<'_, '_, '_> {
    fn run(&self, put_back: &[usize], reads: Option<&[usize]>) -> Option<Answer> {
        let (probes, sequence) = (self.probes, self.sequence);
        if probes.is_over() {
            return None;
        }
        let folder = probes.explorer.folder().ok()?;
        let mut fork = Fork::default();
        let after = sequence.len() as u32 - 2;
        fork.undo = Some(Undo {
            after,
            put_back: put_back.to_vec(),
            folder: folder.dir.display().to_string(),
        });
        fork.watch = reads.map(|units| Watch {
            units: units.to_vec(),
            reader: after + 1,
        });
        let answer = probes.run(sequence, fork).ok();
        answer.filter(|_| !probes.explorer.is_stopped())
    }

    fn is_turned(&self, answer: &Answer) -> Option<bool> {
        let members = self.probes.tests.members(self.sequence);
        let passed = passes(&record_of(answer, &members)?)?;
        Some(passed == self.alone)
    }
}
