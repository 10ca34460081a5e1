//! Work on several items at once, with results in the order of the items.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Runs `work` on every item, up to `jobs` at once. An item that was not begun when `stop` was set has no result.
pub fn map<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let take_items = || {
        while !stop.load(Ordering::SeqCst) {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(item) = items.get(index) else { break };
            let result = work(item);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[index] = Some(result);
        }
    };
    here_and_beside(jobs.min(items.len()), &take_items);
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Does the same in so many threads, of which this is one. Where the system has none left, fewer do it.
pub fn here_and_beside(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let started = std::thread::Builder::new().spawn_scoped(scope, work);
            if started.is_err() {
                break;
            }
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u32> = (0..50).collect();
        let doubled = map(4, &items, &AtomicBool::new(false), |n| n * 2);
        assert_eq!(doubled[49], Some(98));
        assert!(doubled.iter().enumerate().all(|(i, r)| *r == Some(i as u32 * 2)));
        let none = map(2, &items, &AtomicBool::new(true), |n| n * 2);
        assert!(none.iter().all(Option::is_none));
    }
}
