//! Compiles the programs asked for and runs them a few at a time, keeping the results in their order.

use crate::compare;
use crate::compile::{self, Jdk, Version};
use crate::known::Known;
use crate::need::{self, Need};
use crate::program::Program;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// How long one program may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The programs whose id contains one of `filters`; all of them without a filter.
pub fn select(programs: Vec<Program>, filters: &[String]) -> Vec<Program> {
    let wanted = |p: &Program| filters.is_empty() || filters.iter().any(|f| p.id().contains(f.as_str()));
    programs.into_iter().filter(wanted).collect()
}

/// Those of the programs whose expected output holds for this JDK; the others are reported as skipped.
pub fn for_jdk(mut programs: Vec<Program>, home: &Jdk, jdk: Version) -> io::Result<Vec<Program>> {
    let list = Known::read(&crate::jdk_17_only_file())?;
    let whole = Known::read(&crate::whole_jdk_only_file())?;
    let mut others = Vec::new();
    for program in &programs {
        if let Some(reason) = whole.reason(&program.id()).filter(|_| !home.is_whole()) {
            need::skip_part(&program.id(), Need::Javac, reason);
            others.push(program.id());
            continue;
        }
        let (release, preview) = compile::release_of(program);
        if jdk.feature < release || preview && jdk.feature != release {
            need::skip_part(
                &program.id(),
                Need::Jdk(release),
                "it is written for that release",
            );
            others.push(program.id());
            continue;
        }
        let own = compare::blessed(program, "out", jdk)? != program.beside("out");
        if let Some(reason) = list.reason(&program.id()).filter(|_| jdk.feature != 17 && !own) {
            need::skip_part(&program.id(), Need::Jdk(17), reason);
            others.push(program.id());
        }
    }
    programs.retain(|p| !others.contains(&p.id()));
    Ok(programs)
}

/// Compiles every area that one of the `selected` programs lies in and answers the class folder of each area.
///
/// The whole area is compiled, since its folder of classes is kept for all of its programs.
pub fn compile_areas(
    jdk: &Jdk,
    all: &[Program],
    selected: &[Program],
    cache: &Path,
) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut folders = BTreeMap::new();
    for program in selected {
        if !folders.contains_key(&program.area) {
            let area: Vec<&Program> = all.iter().filter(|p| p.area == program.area).collect();
            folders.insert(program.area.clone(), compile::area(jdk, &area, cache)?);
        }
    }
    Ok(folders)
}

/// Applies `work` to each item on `threads` threads; the results come in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(items.iter().map(|_| None).collect::<Vec<Option<R>>>());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, item)) = take(items, &next) {
                    let result = work(item);
                    results.lock().unwrap_or_else(|e| e.into_inner())[index] = Some(result);
                }
            });
        }
    });
    results
        .into_inner()
        .unwrap_or_else(|e| e.into_inner())
        .into_iter()
        .flatten()
        .collect()
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    items.get(index).map(|item| (index, item))
}
