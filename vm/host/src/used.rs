//! Which files a guest's result may depend on: every path it asked for, whatever for, and the folders it listed.

use std::collections::BTreeSet;

/// Absolute paths as the guest sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    pub asked: BTreeSet<Vec<u8>>,
    pub listed: BTreeSet<Vec<u8>>,
}

impl Used {
    pub(super) fn ask(&mut self, path: &[u8]) {
        if !self.asked.contains(path) {
            self.asked.insert(path.to_vec());
        }
    }

    pub(super) fn list(&mut self, path: &[u8]) {
        if !self.listed.contains(path) {
            self.listed.insert(path.to_vec());
        }
    }
}
