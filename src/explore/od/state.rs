//! Which state a polluter or state-setter left that matters: the smallest set of places whose restoring turns the outcome of
//! the test after it back.

use crate::explore::answer::Answer;
use crate::explore::ddmin::ddmin;
use crate::explore::od::probe::{Probes, passes, record_of};
use crate::explore::wire::Undo;
use poldet_records::SearchPlace;

/// The places, for a sequence whose last test has another outcome than alone; none if restoring what the last test before it
/// changed does not help.
pub fn state(probes: &Probes<'_, '_>, sequence: &[usize], alone: bool) -> Result<Vec<SearchPlace>, String> {
    let Some(first) = run(probes, sequence, &[])? else {
        return Ok(Vec::new());
    };
    let units = first.changed;
    let members = probes.tests.members(sequence);
    let helps = |set: &[usize]| -> Option<bool> {
        let answer = run(probes, sequence, set).ok()??;
        let passed = passes(&record_of(&answer, &members)?)?;
        Some(passed == alone)
    };
    let visible: Vec<usize> = (0..units.len()).filter(|i| !units[*i].hidden).collect();
    let all: Vec<usize> = (0..units.len()).collect();
    // What rules hide is put back only where the rest does not explain it.
    for set in [visible, all] {
        if set.is_empty() || helps(&set) != Some(true) {
            continue;
        }
        let chosen = ddmin(set.len(), |part| {
            let part: Vec<usize> = part.iter().map(|i| set[*i]).collect();
            helps(&part)
        });
        let places = chosen.into_iter().flat_map(|i| units[set[i]].places.clone());
        return Ok(places.collect());
    }
    Ok(Vec::new())
}

/// Runs the sequence with some changes of the last test but one put back.
fn run(probes: &Probes<'_, '_>, sequence: &[usize], put_back: &[usize]) -> Result<Option<Answer>, String> {
    if probes.is_over() {
        return Ok(None);
    }
    let folder = probes.explorer.folder()?;
    let (from, mut fork) = match probes.fork_for(sequence) {
        Err(_) if probes.explorer.is_stopped() => return Ok(None),
        found => found?,
    };
    fork.undo = Some(Undo {
        after: sequence.len() as u32 - 2,
        put_back: put_back.to_vec(),
        folder: folder.dir.display().to_string(),
    });
    match probes.explorer.probe(from.as_ref(), fork) {
        _ if probes.explorer.is_stopped() => Ok(None),
        answer => answer.map(Some),
    }
}
