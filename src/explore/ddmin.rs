//! Delta debugging: a smallest part of a set that still does what the whole set does.

/// A 1-minimal subset of `0..count` for which `holds` answers true: leaving out any one of its members makes it false. `holds`
/// must answer true for the whole set; one that answers None (its run did not take place) counts as false.
pub fn ddmin(count: usize, mut holds: impl FnMut(&[usize]) -> Option<bool>) -> Vec<usize> {
    let mut set: Vec<usize> = (0..count).collect();
    let mut parts = 2;
    while set.len() > 1 {
        match smaller(&set, parts, &mut holds) {
            Some((found, next)) => {
                set = found;
                parts = next;
            }
            None if parts >= set.len() => break,
            None => parts = (parts * 2).min(set.len()),
        }
    }
    set
}

/// One of the parts, or all but one of them, if that still holds; with the number of parts to go on with.
fn smaller(
    set: &[usize],
    parts: usize,
    holds: &mut impl FnMut(&[usize]) -> Option<bool>,
) -> Option<(Vec<usize>, usize)> {
    let size = set.len().div_ceil(parts);
    for chunk in set.chunks(size) {
        if chunk.len() < set.len() && holds(chunk) == Some(true) {
            return Some((chunk.to_vec(), 2));
        }
    }
    if parts == 2 {
        // The other half of two has been tried.
        return None;
    }
    for chunk in set.chunks(size) {
        let rest: Vec<usize> = set.iter().copied().filter(|i| !chunk.contains(i)).collect();
        if !rest.is_empty() && holds(&rest) == Some(true) {
            return Some((rest, (parts - 1).max(2)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(count: usize, needed: &[usize]) -> (Vec<usize>, usize) {
        let mut asked = 0;
        let found = ddmin(count, |set| {
            asked += 1;
            Some(needed.iter().all(|n| set.contains(n)))
        });
        (found, asked)
    }

    #[test]
    fn what_is_needed_is_left() {
        for needed in [&[3][..], &[0, 7], &[1, 2, 6], &[0, 1, 2, 3, 4, 5, 6, 7]] {
            assert_eq!(minimal(8, needed).0, needed);
        }
        assert_eq!(minimal(1, &[0]).0, [0]);
        let (found, asked) = minimal(1000, &[617]);
        assert_eq!(found, [617]);
        assert!(asked < 40, "{asked} questions");
    }

    #[test]
    fn a_run_that_did_not_take_place_shows_nothing() {
        let found = ddmin(4, |set| set.contains(&2).then_some(set.len() > 1 || set == [2]));
        assert_eq!(found, [2]);
    }
}
