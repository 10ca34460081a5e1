//! Whether a folder is one of classes: packages as folders, right below it.

use poldet_vm::classfile::ClassFile;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Entries inspected before a folder counts as something else.
const MOST: usize = 50_000;

/// One line about a folder whose classes are not where their packages say, or that is too large to be one of classes.
pub fn check_classes(dir: &Path) -> Result<(), String> {
    let name = dir.display();
    let whole = std::fs::canonicalize(dir).map_err(|e| format!("'{name}': {e}"))?;
    let home = std::env::var_os("HOME").map(PathBuf::from);
    if whole.parent().is_none() || home.is_some_and(|h| h == whole) {
        return Err(format!(
            "'{name}' is neither a Maven or Gradle project nor a folder of classes"
        ));
    }
    let Some(file) = first_class(dir)? else {
        return Ok(());
    };
    let Some(class) = class_name(&file) else {
        return Ok(());
    };
    let inside = file.strip_prefix(dir).unwrap_or(&file).with_extension("");
    if inside == Path::new(&class) {
        return Ok(());
    }
    let above = Path::new(&class).components().count();
    let root = file.ancestors().nth(above).unwrap_or(&file);
    Err(format!(
        "'{name}' is not the root of its classes: '{}' holds {}; try 'poldet run {}'",
        file.display(),
        class.replace('/', "."),
        root.display()
    ))
}

/// The class file nearest to the top; an error where so much lies there that it can be no folder of classes.
fn first_class(dir: &Path) -> Result<Option<PathBuf>, String> {
    let mut work = VecDeque::from([dir.to_owned()]);
    let mut seen = 0;
    while let Some(folder) = work.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        let mut names: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        names.sort();
        seen += names.len();
        if seen > MOST {
            return Err(format!(
                "'{}' is too large for a folder of classes: none found among {MOST} entries",
                dir.display()
            ));
        }
        for path in names {
            let is_class = path.extension().is_some_and(|e| e == "class");
            let special = path
                .file_stem()
                .is_some_and(|s| s == "module-info" || s == "package-info");
            if is_class && !special && path.is_file() {
                return Ok(Some(path));
            }
            let is_link = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_symlink());
            if !is_link && path.is_dir() {
                work.push_back(path);
            }
        }
    }
    Ok(None)
}

fn class_name(file: &Path) -> Option<String> {
    // Read once, and as long as the process lives.
    let bytes: &'static [u8] = Box::leak(std::fs::read(file).ok()?.into_boxed_slice());
    let class = ClassFile::parse(bytes).ok()?;
    let name = class.class_name(class.this_class)?;
    Some(String::from_utf8_lossy(name).into_owned())
}
