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
    // Tests keep class files among their data as well: a folder is the root of its classes if one of them is in its place.
    let mut first = None;
    let mut classes = Classes::below(dir);
    while let Some(file) = classes.next()? {
        let Some(class) = class_name(&file) else {
            continue;
        };
        let inside = file.strip_prefix(dir).unwrap_or(&file).with_extension("");
        if inside == Path::new(&class) {
            return Ok(());
        }
        first.get_or_insert((file, class));
    }
    let Some((file, class)) = first else {
        return Ok(());
    };
    let above = Path::new(&class).components().count();
    let root = file.ancestors().nth(above).unwrap_or(&file);
    Err(format!(
        "'{name}' is not the root of its classes: '{}' holds {}; try 'poldet run {}'",
        file.display(),
        class.replace('/', "."),
        root.display()
    ))
}

/// A class file of each folder below a folder, those nearest to the top first.
struct Classes<'a> {
    root: &'a Path,
    folders: VecDeque<PathBuf>,
    seen: usize,
    found: bool,
}

impl<'a> Classes<'a> {
    fn below(root: &'a Path) -> Self {
        Self {
            root,
            folders: VecDeque::from([root.to_owned()]),
            seen: 0,
            found: false,
        }
    }

    /// The next one; an error where so much lies there without a class that it can be no folder of classes.
    fn next(&mut self) -> Result<Option<PathBuf>, String> {
        while let Some(folder) = self.folders.pop_front() {
            let class = self.read(&folder);
            if class.is_some() {
                self.found = true;
                return Ok(class);
            }
            if self.seen > MOST {
                break;
            }
        }
        if self.seen > MOST && !self.found {
            return Err(format!(
                "'{}' is too large for a folder of classes: none found among {MOST} entries",
                self.root.display()
            ));
        }
        Ok(None)
    }

    /// The first class file of one folder; the folders below it come later.
    fn read(&mut self, folder: &Path) -> Option<PathBuf> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .ok()?
            .flatten()
            .map(|e| e.path())
            .collect();
        names.sort();
        self.seen += names.len();
        let mut class = None;
        for path in names {
            let is_class = path.extension().is_some_and(|e| e == "class");
            let special = path
                .file_stem()
                .is_some_and(|s| s == "module-info" || s == "package-info");
            if class.is_none() && is_class && !special && path.is_file() {
                class = Some(path);
                continue;
            }
            let is_link = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_symlink());
            if !is_class && !is_link && path.is_dir() {
                self.folders.push_back(path);
            }
        }
        class
    }
}

fn class_name(file: &Path) -> Option<String> {
    // Few are read, and they stay as long as the process lives.
    let bytes: &'static [u8] = Box::leak(std::fs::read(file).ok()?.into_boxed_slice());
    let class = ClassFile::parse(bytes).ok()?;
    let name = class.class_name(class.this_class)?;
    Some(String::from_utf8_lossy(name).into_owned())
}
