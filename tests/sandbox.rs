//! Ways out of a test, tried with the sandbox on: what must stay as it is stays, and nothing is left.

mod common;

use common::path;
use poldet_testdata::need::{self, Need};
use poldet_testdata::suite::{self, build, result};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the sandbox lacks on this machine, as it says itself.
fn lacks() -> String {
    let output = Command::new(common::binary())
        .arg("__sandbox")
        .output()
        .expect("it can be run");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, missing) = text
        .split_once("\"missing\":")
        .unwrap_or_else(|| panic!("{text}"));
    missing.trim_matches(['[', ']', '}']).to_owned()
}

/// The suite of escapes, compiled, in a place that other users can reach.
fn classes() -> Option<PathBuf> {
    let jdk = need::javac()?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/escapes");
    let read = suite::read(&sources).expect("the suite can be read");
    let built = build::suite(&jdk, &read, &common::cache()).expect("the suite compiles");
    Some(built.classes.canonicalize().expect("a folder"))
}

/// Real files that must not change, and a listener that must not hear anything.
struct Place {
    root: PathBuf,
    before: BTreeMap<PathBuf, String>,
    tcp: TcpListener,
    unix: UnixListener,
    mark: String,
}

impl Place {
    fn new(name: &str, owner: Option<u32>) -> Place {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("poldet-escape-{name}-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("real/folder")).expect("a folder can be made");
        fs::create_dir_all(root.join("work")).expect("a folder can be made");
        fs::create_dir_all(root.join("tmp")).expect("a folder can be made");
        fs::write(root.join("real/file.txt"), "real").expect("a file can be written");
        fs::write(root.join("real/folder/inner.txt"), "inner").expect("a file can be written");
        fs::write(root.join("real/doomed.txt"), "doomed").expect("a file can be written");
        let unix = UnixListener::bind(root.join("real/socket")).expect("a socket can be made");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        tcp.set_nonblocking(true).expect("it can be set");
        unix.set_nonblocking(true).expect("it can be set");
        if let Some(owner) = owner {
            for entry in [
                "",
                "real",
                "real/folder",
                "real/file.txt",
                "real/doomed.txt",
                "real/folder/inner.txt",
                "real/socket",
                "work",
                "tmp",
            ] {
                std::os::unix::fs::chown(root.join(entry), Some(owner), Some(owner)).expect("root may");
            }
        }
        let before = listing(&root.join("real"));
        // A number of seconds that nobody else sleeps.
        let mark = format!("9{:05}{number:02}", std::process::id() % 100_000);
        Place {
            root,
            before,
            tcp,
            unix,
            mark,
        }
    }

    fn command(&self, binary: &Path, classes: &Path) -> Command {
        let mut command = Command::new(binary);
        let port = self.tcp.local_addr().expect("an address").port();
        command
            .args(["run", path(classes), "--format=json"])
            .arg(format!("-Descape.dir={}", self.root.join("real").display()))
            .arg(format!("-Descape.port={port}"))
            .arg(format!("-Descape.pid={}", std::process::id()))
            .arg(format!("-Descape.mark={}", self.mark))
            .env("TMPDIR", self.root.join("tmp"))
            .current_dir(self.root.join("work"));
        command
    }

    /// Nothing real has changed, nobody has connected, and no process is left.
    fn check(&self) {
        assert_eq!(self.before, listing(&self.root.join("real")));
        assert!(self.tcp.accept().is_err(), "somebody connected");
        assert!(self.unix.accept().is_err(), "somebody connected");
        assert_eq!(processes_with(&self.mark), Vec::<String>::new());
        let left = fs::read_dir(self.root.join("work")).expect("a folder").count();
        assert_eq!(left, 0, "files in the working folder");
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Everything below a folder, with what can be changed of it.
fn listing(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let file = entry.expect("an entry").path();
        let meta = fs::symlink_metadata(&file).expect("a file");
        let contents = fs::read(&file).unwrap_or_default();
        let text = format!(
            "{:o} {} {} {} {contents:?}",
            meta.mode(),
            meta.uid(),
            meta.mtime(),
            meta.nlink()
        );
        if meta.is_dir() {
            all.extend(listing(&file));
        }
        all.insert(file, text);
    }
    all
}

/// Processes one of whose words is this.
fn processes_with(word: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    lines
        .filter(|line| line.split(|b| *b == 0).any(|w| w == word.as_bytes()))
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .collect()
}

fn all_pass(output: &Output) {
    let (text, errors) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let results = result::from_json(&text).unwrap_or_else(|why| panic!("{why}\n{text}\n{errors}"));
    let wrong: Vec<String> = results
        .iter()
        .filter(|r| r.outcome != "passed")
        .map(|r| format!("{} {} {}", r.id(), r.outcome, r.message))
        .collect();
    assert!(results.len() >= 25 && wrong.is_empty(), "{wrong:#?}\n{errors}");
}

#[test]
fn every_way_out_is_closed() {
    let Some(classes) = classes() else { return };
    let place = Place::new("here", None);
    let output = place
        .command(Path::new(common::binary()), &classes)
        .output()
        .expect("it runs");
    // What a kernel does not have is another test's matter; what is real must stay in any case.
    place.check();
    let lacks = lacks();
    if lacks.is_empty() {
        all_pass(&output);
    } else {
        need::skip_part("outcomes", Need::Sandbox, &lacks);
    }
}

#[test]
fn every_way_out_is_closed_to_an_ordinary_user() {
    if !fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0) {
        return need::skip(Need::Root, "the tests run as an ordinary user anyway");
    }
    let Some(classes) = classes() else { return };
    let place = Place::new("user", Some(65534));
    // Neither the binary nor the classes need be where others can read.
    let binary = place.root.join("poldet");
    fs::copy(common::binary(), &binary).expect("a copy");
    let copy = place.root.join("classes");
    fs::create_dir(&copy).expect("a folder");
    for entry in fs::read_dir(&classes).expect("classes").flatten() {
        fs::copy(entry.path(), copy.join(entry.file_name())).expect("a copy");
    }
    let mut command = place.command(&binary, &copy);
    let output = command.uid(65534).gid(65534).output().expect("it runs");
    place.check();
    let lacks = lacks();
    if lacks.is_empty() {
        all_pass(&output);
    } else {
        need::skip_part("outcomes", Need::Sandbox, &lacks);
    }
}

#[test]
fn forks_of_a_vm_are_in_the_sandbox_too() {
    let Some(classes) = classes() else { return };
    let place = Place::new("forks", None);
    let mut command = place.command(Path::new(common::binary()), &classes);
    let output = command.arg("--isolate=strict").output().expect("it runs");
    place.check();
    if lacks().is_empty() {
        all_pass(&output);
    }
}

/// A command whose process and all below it can make no namespaces, whoever runs it; where the tools for that are missing, nothing.
fn without_namespaces(command: &Command) -> Option<Command> {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all \"$@\"";
    let mut wrapped = Command::new("unshare");
    wrapped.args([
        "--user",
        "--map-current-user",
        "--keep-caps",
        "sh",
        "-c",
        script,
        "sh",
    ]);
    let mut works = Command::new("unshare");
    works.args([
        "--user",
        "--map-current-user",
        "--keep-caps",
        "sh",
        "-c",
        script,
        "sh",
        "true",
    ]);
    if !works.output().is_ok_and(|o| o.status.success()) {
        return None;
    }
    wrapped.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        value.map(|value| wrapped.env(name, value));
    }
    command.get_current_dir().map(|dir| wrapped.current_dir(dir));
    Some(wrapped)
}

#[test]
fn without_namespaces_nothing_real_changes_either() {
    let Some(classes) = classes() else { return };
    let place = Place::new("landlock", None);
    let command = place.command(Path::new(common::binary()), &classes);
    let Some(mut command) = without_namespaces(&command) else {
        return need::skip(
            Need::Sandbox,
            "no unshare and setpriv that can switch namespaces off",
        );
    };
    let output = command.output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("warning: sandbox without namespaces ("),
        "{errors}"
    );
    if errors.contains("sandbox without Landlock") {
        return need::skip(Need::Sandbox, "the kernel has no Landlock");
    }
    place.check();
    let text = String::from_utf8_lossy(&output.stdout);
    let results = result::from_json(&text).unwrap_or_else(|why| panic!("{why}\n{text}\n{errors}"));
    // What programs of tests may see is another matter: of the tests those of the VM itself pass.
    let closed = [
        "signals",
        "socketsOfProcesses",
        "sockets",
        "devices",
        "memoryOfTheProcess",
        "streams",
        "deletes",
        "namespaces",
    ];
    for name in closed {
        let found = results.iter().find(|r| r.id() == format!("EscapeTest#{name}"));
        let found = found.unwrap_or_else(|| panic!("no {name}: {text}"));
        assert_eq!(found.outcome, "passed", "{name}: {}", found.message);
    }
}

#[test]
fn what_a_sandbox_lacks_is_reported_and_can_be_refused() {
    let Some(classes) = classes() else { return };
    let place = Place::new("require", None);
    let binary = Path::new(common::binary());
    let output = place
        .command(binary, &classes)
        .args(["--sandbox=require", "--test=EscapeTest#deletes"])
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    match lacks().as_str() {
        "" => assert!(output.status.success(), "{errors}"),
        _ => assert!(
            errors.starts_with("error: --sandbox require: this machine lacks"),
            "{errors}"
        ),
    }
    place.check();
}

#[test]
fn tests_run_without_a_sandbox_if_asked() {
    let Some(classes) = classes() else { return };
    let place = Place::new("off", None);
    let binary = Path::new(common::binary());
    let output = place
        .command(binary, &classes)
        .args([
            "--sandbox=off",
            "--test=EscapeTest#deletes",
            "--test=EscapeTest#processesThatStay",
        ])
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("\"mode\": \"off\""),
        "{text}"
    );
    // Even so nothing outlives the run.
    place.check();
}
