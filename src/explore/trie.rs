//! Sequences of tests as a tree in which common prefixes stand once, and where in it a process can hold to be forked.

use crate::explore::explorer::Member;
use crate::explore::wire::{Fork, Hold};
use poldet_junit_shim::driver::{Mode, Step};

/// A sequence of tests to run from the zygote's state.
#[derive(Clone, Default)]
pub struct Sequence<'m> {
    pub tests: Vec<&'m Member>,
    /// From this test on, counted from 0, the sequence has a process to itself, of which this is asked.
    /// Tests that the request counts are counted from there.
    pub own: Option<(usize, Fork)>,
}

impl<'m> From<Vec<&'m Member>> for Sequence<'m> {
    fn from(tests: Vec<&'m Member>) -> Sequence<'m> {
        Sequence { tests, own: None }
    }
}

/// What happens in a sequence, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    /// The tests of a class are discovered.
    Open {
        class: String,
        mode: Mode,
        at_once: bool,
    },
    /// Its fixtures have run.
    Ready,
    Test(String),
    /// The run of the class ends.
    Close,
}

struct Node {
    /// None for the zygote itself.
    act: Option<Act>,
    /// The only sequence that may come here.
    owner: Option<usize>,
    parent: usize,
    children: Vec<usize>,
    /// The sequences that end here, by number.
    ends: Vec<usize>,
    /// No process comes to hold here.
    blocked: bool,
}

impl Node {
    fn is_test(&self) -> bool {
        matches!(self.act, Some(Act::Test(_)))
    }
}

/// Number of a point in a tree.
pub type Point = usize;

/// The state of the zygote.
pub const ROOT: Point = 0;

/// The tree of some sequences.
pub struct Trie {
    nodes: Vec<Node>,
    /// What is asked of processes that belong to one sequence.
    asked: Vec<Option<Fork>>,
    /// How many ways lead on from each point, to the next points at which a process can hold.
    ways: Vec<usize>,
}

impl Trie {
    pub fn new(sequences: &[Sequence<'_>]) -> Trie {
        let root = Node {
            act: None,
            owner: None,
            parent: ROOT,
            children: Vec::new(),
            ends: Vec::new(),
            blocked: false,
        };
        let mut trie = Trie {
            nodes: vec![root],
            asked: Vec::new(),
            ways: Vec::new(),
        };
        for (number, sequence) in sequences.iter().enumerate() {
            trie.add(number, sequence);
            trie.asked
                .push(sequence.own.as_ref().map(|(_, fork)| fork.clone()));
        }
        trie.count_ways();
        trie
    }

    /// What comes after a point has a higher number.
    fn count_ways(&mut self) {
        self.ways = vec![0; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let on = node.children.iter().map(|child| match self.can_hold(*child) {
                true => 1,
                false => self.ways[*child],
            });
            self.ways[at] = on.sum::<usize>() + node.ends.len().min(1);
        }
    }

    fn add(&mut self, number: usize, sequence: &Sequence<'_>) {
        let own_from = sequence.own.as_ref().map_or(usize::MAX, |(from, _)| *from);
        let mut at = ROOT;
        let mut open: Option<(String, Mode)> = None;
        for (i, member) in sequence.tests.iter().enumerate() {
            // Classes are discovered alike for all: only from a test of its own on is a process its own.
            let before = (i > own_from).then_some(number);
            let owner = (i >= own_from).then_some(number);
            let class = (member.class(), member.mode);
            if open.as_ref() != Some(&class) {
                if open.is_some() {
                    at = self.child(at, Act::Close, before);
                }
                let (class, mode) = class.clone();
                let at_once = member.at_once;
                at = self.child(at, Act::Open { class, mode, at_once }, before);
                // The fixtures before a test of its own run in its process, too.
                at = self.child(at, Act::Ready, owner);
            }
            at = self.child(at, Act::Test(member.test.id.clone()), owner);
            open = Some(class);
        }
        if open.is_some() {
            let owner = self.nodes[at].owner;
            at = self.child(at, Act::Close, owner);
        }
        self.nodes[at].ends.push(number);
    }

    fn child(&mut self, at: Point, act: Act, owner: Option<usize>) -> Point {
        let same = |n: &&usize| {
            let node = &self.nodes[**n];
            node.owner == owner && node.act.as_ref() == Some(&act)
        };
        // Sequences that share a prefix mostly come one after the other.
        if let Some(found) = self.nodes[at].children.iter().rev().find(same) {
            return *found;
        }
        self.nodes.push(Node {
            act: Some(act),
            owner,
            parent: at,
            children: Vec::new(),
            ends: Vec::new(),
            blocked: false,
        });
        let new = self.nodes.len() - 1;
        self.nodes[at].children.push(new);
        new
    }

    /// The sequences that end at a point.
    pub fn ends(&self, at: Point) -> &[usize] {
        &self.nodes[at].ends
    }

    /// The sequences that end at a point or after it.
    pub fn all_ends(&self, at: Point) -> Vec<usize> {
        let mut found = Vec::new();
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            found.extend(&self.nodes[at].ends);
            left.extend(&self.nodes[at].children);
        }
        found
    }

    /// Where processes that go on from a point are to end or to hold: at the next points that several sequences need.
    pub fn targets(&self, from: Point) -> Vec<Point> {
        let mut found = Vec::new();
        let mut left: Vec<Point> = self.nodes[from].children.iter().rev().copied().collect();
        while let Some(at) = left.pop() {
            let needed = self.ways[at] > 1 || !self.goes_on(at);
            if needed && self.can_hold(at) {
                found.push(at);
            } else {
                left.extend(self.nodes[at].children.iter().rev());
            }
        }
        found
    }

    /// Whether something comes after a point.
    pub fn goes_on(&self, at: Point) -> bool {
        !self.nodes[at].children.is_empty()
    }

    /// Whether a process can hold there, as far as is known.
    pub fn can_hold(&self, at: Point) -> bool {
        !self.nodes[at].blocked
    }

    /// A process did not come to hold at a point: inside the run of a class none will, from there on. The point before which the
    /// fixtures of the class run, if it is there that holding is left to be tried.
    pub fn block(&mut self, at: Point) -> Option<Point> {
        let inside = |n: &Node| matches!(n.act, Some(Act::Ready | Act::Test(_)));
        if !inside(&self.nodes[at]) {
            return None;
        }
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            self.nodes[at].blocked = true;
            let on = self.nodes[at].children.iter();
            left.extend(on.filter(|child| inside(&self.nodes[**child])));
        }
        self.count_ways();
        let before = self.nodes[at].parent;
        (self.nodes[at].act == Some(Act::Ready)).then_some(before)
    }

    /// What a process that holds at `from` is asked for, so that its child comes to another point and holds there or ends.
    pub fn fork(&self, from: Point, to: Point, holds: bool) -> Fork {
        let mut path = Vec::new();
        let mut at = to;
        while at != from && at != ROOT {
            path.push(&self.nodes[at]);
            at = self.nodes[at].parent;
        }
        let owner = self.nodes[to].owner;
        let mut fork = owner.and_then(|o| self.asked[o].clone()).unwrap_or_default();
        fork.steps.clear();
        // What is asked of the last part counts tests from there.
        let shared = path.iter().filter(|n| n.owner.is_none() && n.is_test()).count();
        if let Some(undo) = &mut fork.undo {
            undo.after += shared as u32;
        }
        if let Some(watch) = &mut fork.watch {
            watch.reader += shared as u32;
        }
        let within = !matches!(self.nodes[from].act, None | Some(Act::Close));
        fork.chosen = within.then(Vec::new);
        for node in path.into_iter().rev() {
            match node.act.clone() {
                Some(Act::Open { class, mode, at_once }) => fork.steps.push(open(class, mode, at_once)),
                Some(Act::Test(id)) => match fork.steps.last_mut() {
                    Some(step) => step.sequence.get_or_insert_default().push(id),
                    None => fork.chosen.get_or_insert_default().push(id),
                },
                Some(Act::Ready | Act::Close) | None => {}
            }
        }
        fork.hold = if holds { self.hold(to) } else { Hold::Never };
        fork
    }

    fn hold(&self, at: Point) -> Hold {
        match self.nodes[at].act {
            Some(Act::Open { .. }) => Hold::AfterDiscovery,
            Some(Act::Ready | Act::Test(_)) => Hold::AfterTests,
            _ => Hold::AfterSteps,
        }
    }
}

/// The step that discovers a class.
fn open(class: String, mode: Mode, at_once: bool) -> Step {
    Step {
        classes: vec![class],
        mode: Some(mode),
        sequence: Some(Vec::new()),
        at_once,
        ..Step::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::TestName;

    fn member(name: &str) -> Member {
        Member {
            test: TestName {
                id: name.to_owned(),
                class: name[..1].to_owned(),
                ..TestName::default()
            },
            mode: Mode::JUnit4,
            container: false,
            at_once: false,
        }
    }

    fn members() -> Vec<Member> {
        ["a1", "a2", "b1", "b2", "c1"].into_iter().map(member).collect()
    }

    /// All that processes are asked for, as `depth> steps hold`.
    fn story(trie: &Trie, from: Point, depth: usize, told: &mut Vec<String>) {
        for to in trie.targets(from) {
            let holds = trie.goes_on(to);
            let fork = trie.fork(from, to, holds);
            let steps = fork.steps.iter().map(|s| {
                let tests = s.sequence.clone().unwrap_or_default();
                format!(" {}{tests:?}", s.classes[0])
            });
            let chosen = fork.chosen.map(|c| format!(" {c:?}")).unwrap_or_default();
            told.push(format!(
                "{depth}>{chosen}{} {:?} {:?}",
                steps.collect::<String>(),
                fork.hold,
                trie.ends(to)
            ));
            story(trie, to, depth + 1, told);
        }
    }

    fn told(sequences: &[&[usize]]) -> Vec<String> {
        let members = members();
        let sequences: Vec<Sequence<'_>> = sequences
            .iter()
            .map(|s| Sequence::from(s.iter().map(|i| &members[*i]).collect::<Vec<_>>()))
            .collect();
        let mut found = Vec::new();
        story(&Trie::new(&sequences), ROOT, 0, &mut found);
        found
    }

    #[test]
    fn what_is_shared_runs_once() {
        // One sequence needs no hold, and equal ones run once.
        assert_eq!(told(&[&[0, 2]]), [r#"0> a["a1"] b["b1"] Never [0]"#]);
        assert_eq!(told(&[&[0], &[0]]), [r#"0> a["a1"] Never [0, 1]"#]);
        // a1 alone, a1 before a2, a1 before b1 and before b2.
        assert_eq!(
            told(&[&[0], &[0, 1], &[0, 2], &[0, 3]]),
            [
                r#"0> a["a1"] AfterTests []"#,
                r#"1> [] AfterSteps [0]"#,
                r#"2> b[] AfterTests []"#,
                r#"3> ["b1"] Never [2]"#,
                r#"3> ["b2"] Never [3]"#,
                r#"1> ["a2"] Never [1]"#,
            ]
        );
        assert_eq!(
            told(&[&[4, 0], &[4, 2]]),
            [
                r#"0> c["c1"] AfterSteps []"#,
                r#"1> a["a1"] Never [0]"#,
                r#"1> b["b1"] Never [1]"#
            ]
        );
    }

    #[test]
    fn what_belongs_to_one_sequence_is_not_shared() {
        let members = members();
        let fork = Fork {
            learn: true,
            ..Fork::default()
        };
        let own = |from| Sequence {
            tests: vec![&members[0], &members[2]],
            own: Some((from, fork.clone())),
        };
        let trie = Trie::new(&[own(0), own(1), Sequence::from(vec![&members[0], &members[2]])]);
        let mut found = Vec::new();
        story(&trie, ROOT, 0, &mut found);
        assert_eq!(
            found,
            [
                r#"0> a[] AfterDiscovery []"#,
                r#"1> ["a1"] b["b1"] Never [0]"#,
                r#"1> ["a1"] b[] AfterDiscovery []"#,
                r#"2> ["b1"] Never [1]"#,
                r#"2> ["b1"] Never [2]"#,
            ]
        );
        let (open, end) = (trie.targets(ROOT)[0], trie.targets(trie.targets(ROOT)[0])[0]);
        assert!(trie.fork(open, end, false).learn);
        assert_eq!(trie.all_ends(open).len(), 3);
        assert!(trie.can_hold(open) && trie.can_hold(ROOT));
    }

    #[test]
    fn where_no_process_holds_its_tests_run_again() {
        let members = members();
        let pair = |a: usize, b: usize| Sequence::from(vec![&members[a], &members[b]]);
        let mut trie = Trie::new(&[pair(0, 1), pair(0, 0)]);
        let held = trie.targets(ROOT)[0];
        assert_eq!(trie.fork(ROOT, held, true).hold, Hold::AfterTests);
        assert_eq!(trie.block(held), None);
        let mut found = Vec::new();
        story(&trie, ROOT, 0, &mut found);
        assert_eq!(
            found,
            [
                r#"0> a[] AfterTests []"#,
                r#"1> ["a1", "a2"] Never [0]"#,
                r#"1> ["a1", "a1"] Never [1]"#,
            ]
        );
        let ready = trie.targets(ROOT)[0];
        let open = trie.block(ready).expect("the class can be discovered");
        assert_eq!(trie.targets(ROOT), [open]);
    }
}
