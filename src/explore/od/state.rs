//! Which state a polluter or state-setter left that matters to the test after it.

use crate::explore::answer::Answer;
use crate::explore::od::probe::{Probes, passes, record_of};
use crate::explore::restore::{Trial, places};
use crate::explore::wire::{Fork, Undo, Watch};
use poldet_junit_shim::driver::Kept;
use poldet_records::SearchPlace;

/// A sequence whose last test has another outcome than alone.
struct Changed<'s, 'a, 'e> {
    probes: &'s Probes<'a, 'e>,
    sequence: &'s [usize],
    alone: bool,
    /// How many tests end before the one whose changes are put back, or those of what runs around it.
    after: usize,
    of: Kept,
}

/// The places whose restoring gives the last test of a sequence the outcome that it has alone; none if restoring what the last
/// test before it changed, or the fixtures of that one's class, does not help.
pub fn state(probes: &Probes<'_, '_>, sequence: &[usize], alone: bool) -> Vec<SearchPlace> {
    let last = sequence.len() - 2;
    let class = |at: usize| probes.tests.class(sequence[at]);
    let is_apart = class(last) != class(last + 1);
    let first = (0..last).rev().take_while(|at| class(*at) == class(last)).last();
    let around = [(Kept::ClassEnd, last), (Kept::Before, first.unwrap_or(last))];
    let around = around.into_iter().filter(|_| is_apart);
    let mut found = std::iter::once((Kept::Test, last))
        .chain(around)
        .map(|(of, after)| {
            places(&Changed {
                probes,
                sequence,
                alone,
                after,
                of,
            })
        });
    found.find(|places| !places.is_empty()).unwrap_or_default()
}

impl Trial for Changed<'_, '_, '_> {
    fn run(&self, put_back: &[usize], reads: Option<&[usize]>) -> Option<Answer> {
        let (probes, sequence) = (self.probes, self.sequence);
        if probes.is_over() {
            return None;
        }
        let folder = probes.explorer.folder().ok()?;
        let fork = Fork {
            undo: Some(Undo {
                after: self.after as u32,
                of: self.of,
                put_back: put_back.to_vec(),
                folder: folder.dir.display().to_string(),
            }),
            watch: reads.map(|units| Watch {
                units: units.to_vec(),
                reader: sequence.len() as u32 - 1,
            }),
            ..Fork::default()
        };
        let answer = probes.run(sequence, fork).ok();
        answer.filter(|_| !probes.explorer.is_stopped())
    }

    fn is_turned(&self, answer: &Answer) -> Option<bool> {
        let members = self.probes.tests.members(self.sequence);
        let passed = passes(&record_of(answer, &members)?)?;
        Some(passed == self.alone)
    }
}
