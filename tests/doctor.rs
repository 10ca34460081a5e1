//! `poldet doctor`: what it finds missing, for people and for programs.

mod common;

use common::{built, command, fresh, path};
use poldet_testdata::engine::End;
use poldet_testdata::suite::{example, jar};
use std::fs;

#[test]
fn nothing_is_missing() {
    let ended = command("doctor", &[path(&example::jar_file())]);
    assert_eq!(ended.end, End::Exit(0), "{}{}", ended.stdout, ended.stderr);
    for part in [
        "JDK      ",
        "built-in org.junit",
        "match the test name patterns",
        "Nothing is missing.",
    ] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
    }
}

#[test]
fn classes_that_are_missing() {
    let Some(built) = built("bad-missing-dependency") else {
        return;
    };
    let ended = command("doctor", &[path(&built.classes)]);
    assert_eq!(ended.end, End::Exit(4), "{}{}", ended.stdout, ended.stderr);
    for part in [
        "gone.Gone (named by bad.Missing",
        "gone.GoneBase (named by bad.MissingBaseTest)",
    ] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
    }
}

#[test]
fn natives_that_are_missing() {
    let Some(built) = built("bad-natives") else { return };
    let ended = command("doctor", &[path(&built.classes), "--format=json"]);
    assert_eq!(ended.end, End::Exit(4), "{}{}", ended.stdout, ended.stderr);
    for part in [
        "\"schema\": 1",
        "\"bad.OwnNativeTest.sum\"",
        "\"method\": \"sun.awt.image.ImagingLib.convolveBI\"",
        "\"called\": \"java.awt.image.ConvolveOp.filter\"",
        "\"named_by\": \"bad.RefusedTest\"",
        "\"missing_classes\": []",
    ] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
    }
    let ended = command("doctor", &[path(&built.classes)]);
    for part in [
        "bad.OwnNativeTest: sum",
        "sun.awt.image.ImagingLib.convolveBI (by java.awt.image.ConvolveOp.filter, which bad.RefusedTest names)",
    ] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
    }
}

#[test]
fn damaged_classes() {
    let Some(built) = built("builtin-names") else {
        return;
    };
    let mut entries = jar::files(&built.classes).expect("the classes can be read");
    for (name, bytes) in &mut entries {
        if name.ends_with("/CalcMoreTest.class") {
            bytes.truncate(bytes.len() / 2);
        }
    }
    let file = fresh("doctor-damaged").join("suite.jar");
    fs::write(&file, jar::of(&entries)).expect("the jar can be written");
    let ended = command("doctor", &[path(&file)]);
    assert_eq!(ended.end, End::Exit(4), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("names.CalcMoreTest: "), "{}", ended.stdout);
}

#[test]
fn suites_without_tests_and_bad_input() {
    let Some(built) = built("bad-no-tests") else {
        return;
    };
    let ended = command("doctor", &[path(&built.classes)]);
    assert_eq!(ended.end, End::Exit(2), "{}{}", ended.stdout, ended.stderr);
    for args in [&["nowhere.jar"][..], &["--jdk", "/no/such/jdk", "nowhere.jar"]] {
        let ended = command("doctor", args);
        assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}
