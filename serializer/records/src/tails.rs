//! Stack traces of a document without what many of them end in: tests that fail alike share all frames of the runner, and thousands of
//! such stacks were most of a document.

use crate::Document;
use std::collections::BTreeMap;

/// Tests that must share an end before it is written once.
const MANY: usize = 10;
/// Lines that an end must have for that.
const LONG: usize = 4;

impl Document {
    /// Writes the ends that many stacks share once, by number.
    pub fn share_tails(&mut self) {
        let ends: Vec<usize> = self.tests.iter().map(|t| end(&t.stack, &t.test.class)).collect();
        let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
        for (test, end) in self.tests.iter().zip(&ends) {
            *counts.entry(&test.stack[*end..]).or_default() += 1;
        }
        counts.retain(|tail, count| tail.len() >= LONG && *count >= MANY);
        let tails: Vec<Vec<String>> = counts.keys().map(|tail| tail.to_vec()).collect();
        for (test, end) in self.tests.iter_mut().zip(ends) {
            if let Ok(at) = tails.binary_search_by(|tail| tail[..].cmp(&test.stack[end..])) {
                test.stack.truncate(end);
                test.stack_tail = Some(at);
            }
        }
        self.stack_tails = tails;
    }

    /// Whole stacks again.
    pub fn restore_tails(&mut self) {
        let tails = std::mem::take(&mut self.stack_tails);
        for test in &mut self.tests {
            let tail = test.stack_tail.take().and_then(|at| tails.get(at));
            test.stack.extend(tail.into_iter().flatten().cloned());
        }
    }
}

/// Where the frames begin that lie below the last one of the test's own class.
fn end(stack: &[String], class: &str) -> usize {
    let top = class.split('$').next().unwrap_or(class);
    let own = |line: &String| {
        let frame = line.trim_start().strip_prefix("at ").unwrap_or("");
        let rest = frame.rsplit('/').next().unwrap_or(frame).strip_prefix(top);
        rest.is_some_and(|r| r.starts_with(['.', '$']))
    };
    stack.iter().rposition(own).map_or(stack.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use crate::{Document, Outcome, Record, TestName};

    fn document(tests: usize) -> Document {
        let head = serde_json::json!({
            "schema": 1, "poldet": "0", "suite": "s", "jdk": "17", "seed": 0, "junit": "junit4", "command": [],
            "sandbox": {"mode": "auto", "missing": []},
        });
        let mut document = Document::new(serde_json::from_value(head).expect("a head"));
        for i in 0..tests {
            let mut record = Record::new(
                TestName::from_description(None, &format!("t{i}(a.B)")),
                Outcome::Failed,
            );
            let own = [
                "x.Error: no",
                "\tat x.Assert.fail(A.java:1)",
                &format!("\tat a.B.t{i}(B.java:{i})"),
            ]
            .map(str::to_owned);
            let runner = (0..9).map(|n| format!("\tat org.junit.R.r{n}(R.java:{n})"));
            record.stack = own.into_iter().chain(runner).collect();
            document.tests.push(record);
        }
        document
    }

    #[test]
    fn shared_ends_are_written_once_and_come_back() {
        let whole = document(12);
        let mut short = whole.clone();
        short.share_tails();
        assert_eq!(short.stack_tails.len(), 1);
        assert!(
            short
                .tests
                .iter()
                .all(|t| t.stack.len() == 3 && t.stack_tail == Some(0))
        );
        short.restore_tails();
        assert_eq!(short.tests, whole.tests);
        assert!(short.stack_tails.is_empty());
        let mut few = document(3);
        few.share_tails();
        assert_eq!(few.tests, document(3).tests);
    }
}
