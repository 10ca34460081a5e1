//! The tests of a search, by number.

use crate::explore::explorer::{Class, Member};

/// A test and where it stands.
pub struct Test {
    /// Its class, and its place in it.
    pub at: (usize, usize),
    /// `pkg.Class#method[N]`.
    pub name: String,
    /// A verdict on it is wanted.
    pub judged: bool,
}

/// All tests of the suite, in its order.
pub struct Tests<'a> {
    pub classes: &'a [Class],
    pub all: Vec<Test>,
}

impl<'a> Tests<'a> {
    pub fn new(classes: &'a [Class], judged: impl Fn(&Member) -> bool) -> Tests<'a> {
        let mut all = Vec::new();
        for (i, class) in classes.iter().enumerate() {
            all.extend(class.tests.iter().enumerate().map(|(j, member)| Test {
                at: (i, j),
                name: class.name(member),
                judged: judged(member),
            }));
        }
        Tests { classes, all }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn member(&self, test: usize) -> &'a Member {
        let (class, position) = self.all[test].at;
        &self.classes[class].tests[position]
    }

    pub fn members(&self, tests: &[usize]) -> Vec<&'a Member> {
        tests.iter().map(|t| self.member(*t)).collect()
    }

    /// What JUnit knows them by.
    pub fn ids(&self, tests: &[usize]) -> Vec<String> {
        tests.iter().map(|t| self.member(*t).test.id.clone()).collect()
    }

    /// The number of its class.
    pub fn class(&self, test: usize) -> usize {
        self.all[test].at.0
    }

    pub fn names(&self, tests: &[usize]) -> Vec<String> {
        tests.iter().map(|t| self.all[*t].name.clone()).collect()
    }

    /// The test of a name as searches write it, or as JUnit does.
    pub fn find(&self, name: &str) -> Option<usize> {
        let dotted = |own: &str| own.replace('#', ".") == name;
        self.all.iter().position(|t| t.name == name || dotted(&t.name))
    }
}
