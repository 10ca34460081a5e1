//! The report of a suite is the same whoever runs it: locale, zone, user, home, temporary folder and environment are fixed.

use poldet_testdata::compile::Jdk;
use poldet_testdata::need::{self, Need};
use poldet_testdata::suite::{self, build};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

struct Suite {
    classes: PathBuf,
    folder: PathBuf,
}

/// The classes of the suite, compiled once: tests run at the same time.
fn compiled(jdk: &Jdk) -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("identity");
        let read = suite::read(&suite::suites_dir().join("builtin-identity")).expect("the suite can be read");
        build::suite(jdk, &read, &cache)
            .expect("the suite compiles")
            .classes
    })
}

fn suite(name: &str) -> Option<Suite> {
    let built = compiled(&need::javac()?);
    // Each test has its own, since they run at the same time; in a place that other users can reach.
    let folder = std::env::temp_dir().join(format!("poldet-identity-{}-{name}", std::process::id()));
    fs::create_dir_all(folder.join("work")).expect("a folder can be made");
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).expect("a folder can be made");
    for entry in fs::read_dir(built).expect("classes") {
        let entry = entry.expect("an entry");
        fs::copy(entry.path(), classes.join(entry.file_name())).expect("a copy");
    }
    Some(Suite { classes, folder })
}

impl Drop for Suite {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Suite {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_poldet"));
        command
            .arg("run")
            .arg(&self.classes)
            .args(["--format", "json"])
            .args(args)
            .current_dir(self.folder.join("work"));
        command
    }

    fn report(&self, change: impl FnOnce(&mut Command)) -> String {
        let mut command = self.command(&[]);
        change(&mut command);
        text(&command.output().expect("poldet can be run"))
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0)
}

fn text(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("\"tests\""),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

#[test]
fn report_is_the_same_whatever_the_environment() {
    let Some(suite) = suite("environment") else { return };
    let plain = suite.report(|_| {});
    assert!(plain.contains("Object@"), "{plain}");
    let other_tmp = suite.folder.join("tmp");
    fs::create_dir_all(&other_tmp).unwrap();
    let cases: [(&str, &str); 7] = [
        ("LANG", "C"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("TZ", "Asia/Kathmandu"),
        ("TMPDIR", other_tmp.to_str().unwrap()),
        ("HOME", "/nonexistent"),
        ("USER", "somebody"),
        (
            "SOME_OTHER_VARIABLE",
            "a long value that takes room in the heap of a VM that sees it",
        ),
    ];
    for (name, value) in cases {
        let other = suite.report(|c| {
            c.env(name, value);
        });
        assert!(
            plain == other,
            "{name}={value} changes the report:\n{plain}\n{other}"
        );
    }
}

#[test]
fn report_is_the_same_for_another_user() {
    // Only root can become somebody else.
    if !is_root() {
        return need::skip(Need::Root, "the tests do not run as root");
    }
    let Some(suite) = suite("user") else { return };
    // The binary's own folder may be root's alone.
    let binary = suite.folder.join("poldet");
    fs::copy(env!("CARGO_BIN_EXE_poldet"), &binary).unwrap();
    let reachable = Command::new(&binary)
        .arg("--version")
        .uid(65534)
        .gid(65534)
        .output();
    if !reachable.is_ok_and(|o| o.status.success()) {
        return need::skip(Need::Root, "the temporary folder is not open to others");
    }
    let tmp = suite.folder.join("tmp");
    fs::create_dir_all(&tmp).unwrap();
    std::os::unix::fs::chown(&tmp, Some(65534), Some(65534)).unwrap();
    let plain = suite.report(|_| {});
    let other = suite.report(|c| {
        c.uid(65534).gid(65534).env("TMPDIR", &tmp);
    });
    assert!(
        plain == other,
        "another user changes the report:\n{plain}\n{other}"
    );
}

#[test]
fn identity_can_be_chosen_or_taken_from_the_machine() {
    let Some(suite) = suite("chosen") else { return };
    let args = [
        "--locale",
        "de_DE.UTF-8",
        "--zone",
        "Europe/Berlin",
        "--user",
        "anna",
        "--home",
        "/home/anna",
        "--host-name",
        "box",
        "--env",
        "A=b",
    ];
    let chosen = text(&suite.command(&args).output().unwrap());
    for part in ["1.234.567,89", "CET 1970", "USER=anna", "HOME=/home/anna", "A=b"] {
        assert!(chosen.contains(part), "{part}: {chosen}");
    }
    let mut command = suite.command(&["--host-identity"]);
    command.env("LC_ALL", "de_DE.UTF-8").env("SEEN", "yes");
    let machine = text(&command.output().unwrap());
    assert!(
        machine.contains("SEEN=yes") && machine.contains("1.234.567,89"),
        "{machine}"
    );
}

#[test]
fn bad_identities_are_one_line() {
    let Some(suite) = suite("bad") else { return };
    for (args, line) in [
        (
            ["--zone", "Mars/Base"],
            "--zone 'Mars/Base': the JDK knows no such time zone",
        ),
        (["--locale", "de DE"], "--locale 'de DE': letters"),
        (["--home", "here"], "--home 'here': give an absolute path"),
        (["--env", "NO_SUCH_VARIABLE_HERE"], "there is no such variable"),
    ] {
        let output = suite.command(&args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.starts_with("error: ") && stderr.contains(line), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert!(output.stdout.is_empty());
    }
}
