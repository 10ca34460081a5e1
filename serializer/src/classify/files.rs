//! What became of files and folders, as findings.
//!
//! A folder that was created or removed is one finding, the files in it are findings of their own; folders inside it
//! are not listed again. Of many files in one folder the first are listed and the others counted.

use super::Origins;
use crate::finding::{FileChange as Change, FileFinding};
use poldet_vm::host::journal::{Became, FileChange};
use poldet_vm::vm::Vm;
use std::collections::{BTreeMap, BTreeSet};

/// Files listed of one folder.
const MOST_FILES: u32 = 20;

/// What has become of files, by path.
pub fn findings(vm: &Vm, origins: &mut Origins, changes: &[FileChange]) -> Vec<FileFinding> {
    if changes.is_empty() {
        return Vec::new();
    }
    let fs = &vm.host.fs;
    let here = fs.realpath(fs.cwd()).unwrap_or_default();
    let mut found: Vec<_> = listed(changes)
        .into_iter()
        .map(|(change, more)| FileFinding {
            path: match more {
                None => shown(&here, &change.path),
                Some((folder, count)) => format!("{}/… ({count} more)", shown(&here, folder)),
            },
            change: match change.became {
                Became::Created => Change::Created,
                Became::Changed => Change::Changed,
                Became::Removed => Change::Removed,
            },
            ignored_by: None,
            restores: None,
            restored_by: None,
            impact: None,
            written_at: origins.frames(vm, &change.stack),
        })
        .collect();
    found.sort_by(|a, b| (&a.path, a.change).cmp(&(&b.path, b.change)));
    found
}

/// A finding: a change, or the last of many in a folder that are not listed, with that folder and their count.
type Listed<'a> = (&'a FileChange, Option<(&'a [u8], u32)>);

fn listed(changes: &[FileChange]) -> Vec<Listed<'_>> {
    let folders: BTreeSet<(u8, &[u8])> = changes
        .iter()
        .filter(|c| c.folder)
        .map(|c| (c.became as u8, c.path.as_slice()))
        .collect();
    let mut list = Vec::new();
    let mut counts: BTreeMap<(u8, &[u8]), u32> = BTreeMap::new();
    let mut more: BTreeMap<(u8, &[u8]), Listed<'_>> = BTreeMap::new();
    for change in changes {
        let became = change.became as u8;
        let mut top = parent(&change.path);
        let inside = folders.contains(&(became, top));
        if change.folder && inside {
            continue;
        }
        while inside && folders.contains(&(became, parent(top))) {
            top = parent(top);
        }
        let count = counts.entry((became, top)).or_default();
        *count += 1;
        if *count <= MOST_FILES {
            list.push((change, None));
        } else {
            more.insert((became, top), (change, Some((top, *count - MOST_FILES))));
        }
    }
    list.extend(more.into_values());
    list
}

/// The folder of a canonical path; of the root, nothing.
fn parent(path: &[u8]) -> &[u8] {
    &path[..path.iter().rposition(|b| *b == b'/').unwrap_or(0)]
}

/// A path as people write it: from the working folder when it lies in there.
fn shown(here: &[u8], path: &[u8]) -> String {
    let inside = path.strip_prefix(here).and_then(|rest| rest.strip_prefix(b"/"));
    let path = match inside {
        _ if path == here => b".",
        Some(rest) if here.len() > 1 => rest,
        _ => path,
    };
    String::from_utf8_lossy(path).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, became: Became, folder: bool) -> FileChange {
        FileChange {
            path: path.into(),
            became,
            folder,
            stack: [].into(),
        }
    }

    fn lines(changes: &[FileChange]) -> Vec<String> {
        listed(changes)
            .into_iter()
            .map(|(change, more)| match more {
                None => shown(b"/w", &change.path),
                Some((folder, count)) => format!("{} and {count} more", shown(b"/w", folder)),
            })
            .collect()
    }

    #[test]
    fn a_tree_is_its_topmost_folder_and_its_files() {
        let created = |path, folder| change(path, Became::Created, folder);
        let changes = [
            created("/w/out", true),
            created("/w/out-x", false),
            created("/w/out/a", true),
            created("/w/out/a/b", true),
            created("/w/out/a/b/f", false),
            change("/w/out/a/b/g", Became::Removed, true),
        ];
        assert_eq!(lines(&changes), ["out", "out-x", "out/a/b/f", "out/a/b/g"]);
    }

    #[test]
    fn many_files_of_a_folder_are_counted() {
        let mut changes = vec![change("/w/out", Became::Created, true)];
        changes.push(change("/w/out/sub", Became::Created, true));
        for i in 0..30 {
            changes.push(change(&format!("/w/out/sub/{i:02}"), Became::Created, false));
        }
        changes.push(change("/x", Became::Changed, false));
        let lines = lines(&changes);
        assert_eq!(lines.len(), 1 + 20 + 1 + 1);
        assert_eq!(lines[20], "out/sub/19");
        assert_eq!(lines[21..], ["/x", "out and 10 more"]);
    }

    #[test]
    fn paths_are_told_from_the_working_folder() {
        assert_eq!(shown(b"/w", b"/w/a"), "a");
        assert_eq!(shown(b"/w", b"/wa"), "/wa");
        assert_eq!(shown(b"/w", b"/w"), ".");
        assert_eq!(shown(b"/", b"/a"), "/a");
    }
}
