//! The orders in which the tests of a class run: random ones that follow from seed and names, or all there are.

/// The orders of the tests with these names, as indices. Up to `all` tests: every permutation; else `count` random orders.
/// The tests that are left when some are taken out keep their relative order.
pub fn orders(seed: u64, names: &[String], count: u32, all: u32) -> Vec<Vec<usize>> {
    if names.len() <= all as usize {
        return permutations(names.len());
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    for number in 0..count {
        let order = order(seed, names, number);
        // Few tests have few orders.
        if !found.contains(&order) {
            found.push(order);
        }
    }
    found
}

fn order(seed: u64, names: &[String], number: u32) -> Vec<usize> {
    let key = |i: &usize| {
        let mut hash = blake3::Hasher::new();
        hash.update(&seed.to_le_bytes());
        hash.update(&number.to_le_bytes());
        hash.update(names[*i].as_bytes());
        *hash.finalize().as_bytes()
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_cached_key(key);
    order
}

/// All permutations in lexicographic order.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for order in &all {
            let rest = (0..count).filter(|i| !order.contains(i));
            longer.extend(rest.map(|i| order.iter().copied().chain([i]).collect::<Vec<_>>()));
        }
        all = longer;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("a.B#t{i}")).collect()
    }

    #[test]
    fn few_tests_have_all_orders() {
        let orders = orders(0, &names(3), 20, 5);
        assert_eq!(orders.len(), 6);
        assert_eq!((&orders[0][..], &orders[5][..]), (&[0, 1, 2][..], &[2, 1, 0][..]));
        assert_eq!(permutations(5).len(), 120);
    }

    #[test]
    fn a_subset_keeps_its_order() {
        let names = names(9);
        let whole = orders(7, &names, 20, 5);
        assert_eq!(whole.len(), 20);
        assert_eq!(whole, orders(7, &names, 20, 5));
        assert_ne!(whole, orders(8, &names, 20, 5));
        let part: Vec<String> = names[2..8].to_vec();
        let left: Vec<usize> = whole[3].iter().copied().filter(|i| (2..8).contains(i)).collect();
        let again = order(7, &part, 3);
        assert_eq!(left, again.iter().map(|i| i + 2).collect::<Vec<_>>());
    }
}
