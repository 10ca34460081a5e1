//! The options of `poldet run`: what each changes, and what is said about wrong ones.

mod common;

use common::{built, fresh, outcomes, path, poldet, results};
use poldet_testdata::engine::End;
use poldet_testdata::suite::example;
use std::fs;

/// The exit code with one line on standard error that names what is wrong.
fn refused(args: &[&str], names: &str) {
    let ended = poldet(args);
    assert_eq!(ended.end, End::Exit(3), "{args:?}: {}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{args:?}: {}", ended.stderr);
    assert!(ended.stderr.contains(names), "{args:?}: {}", ended.stderr);
    assert_eq!(ended.stdout, "", "{args:?}");
}

#[test]
fn wrong_input_is_named_in_one_line() {
    let jar = example::jar_file();
    let jar = path(&jar);
    refused(&["nowhere.jar"], "nowhere.jar");
    refused(&[jar, "--order", "no-such-order.txt"], "no-such-order.txt");
    refused(&[jar, "--dir", "no-such-folder"], "no-such-folder");
    refused(&[jar, "--jdk", "/no/such/jdk"], "/no/such/jdk");
    refused(&[jar, "--jvm", "-Xmxlots"], "lots");
    refused(&[jar, "--jvm", "-Xssfew"], "few");
    refused(&[jar, "--include", ""], "empty pattern");
    refused(&[jar, "--report-dir", "/proc/no/reports"], "/proc/no/reports");
    refused(&[jar, "--timeout=-1"], "-1");
    refused(&[jar, "--timeout=NaN"], "NaN");
    refused(&[jar, "--test", ""], "test");
}

#[test]
fn what_is_missing_on_the_class_path_is_named() {
    let ended = poldet(&[
        path(&example::jar_file()),
        "-cp",
        "gone.jar:also/gone",
        "--format",
        "json",
    ]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    for place in ["gone.jar", "also/gone"] {
        assert!(ended.stderr.contains(place), "{}", ended.stderr);
    }
}

#[test]
fn jvm_options_without_a_meaning_here_are_named() {
    let Some(built) = built("builtin-conditions") else {
        return;
    };
    let ended = poldet(&[
        path(&built.classes),
        "--format=json",
        "--jvm=-XX:+UseSerialGC -Dconditions.given=from outside",
        "--jvm=-XX:MaxMetaspaceSize=64m",
        "--jvm=--add-opens java.base/java.lang=ALL-UNNAMED",
    ]);
    let ignored: Vec<&str> = ended.stderr.lines().filter(|l| l.contains("ignored")).collect();
    assert_eq!(ignored.len(), 2, "{}", ended.stderr);
    assert!(ignored[0].contains("-XX:+UseSerialGC"), "{ignored:?}");
    assert!(ignored[1].contains("-XX:MaxMetaspaceSize=64m"), "{ignored:?}");
    let found = outcomes(&results(&ended));
    for name in ["propertyOfTheCommandLine", "openedPackage", "assertionsAreOn"] {
        let passed = format!("conditions.ConditionsTest#{name} passed");
        assert!(found.contains(&passed), "{found:?}");
    }
}

#[test]
fn assertions_can_be_switched_off() {
    let Some(built) = built("builtin-conditions") else {
        return;
    };
    let test = "conditions.ConditionsTest#assertionsAreOn";
    let ended = poldet(&[path(&built.classes), "--test", test, "--jvm=-da", "--format=json"]);
    assert_eq!(outcomes(&results(&ended)), [format!("{test} failed")]);
}

#[test]
fn outcomes_named_by_fail_on_count() {
    let Some(built) = built("builtin-outcomes") else {
        return;
    };
    let classes = path(&built.classes);
    for (fail_on, code) in [
        ("failed", 1),
        ("error", 1),
        ("skipped", 1),
        ("any", 1),
        ("crashed", 0),
        ("timed-out,unsupported,crashed", 0),
        ("crashed,failed", 1),
    ] {
        let ended = poldet(&[classes, "--format=json", "--fail-on", fail_on]);
        assert_eq!(
            ended.end,
            End::Exit(code),
            "--fail-on {fail_on}: {}",
            ended.stderr
        );
    }
    // Skipped tests are not failures unless named.
    let ended = poldet(&[path(&example::jar_file()), "--format=json", "--fail-on=any"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
}

#[test]
fn files_change_only_when_asked() {
    let Some(built) = built("builtin-files") else {
        return;
    };
    let folder = fresh("files");
    let args = [path(&built.classes), "--dir", path(&folder), "--format=json"];
    let ended = poldet(&args);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let left = |folder| fs::read_dir(folder).expect("it is there").count();
    assert_eq!(left(&folder), 0);
    let ended = poldet(&[&args[..], &["--write-through"]].concat());
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let text = fs::read_to_string(folder.join("left/behind/file.txt")).expect("it was written");
    assert_eq!(text, "stays until the end");
    assert_eq!(left(&folder), 1);
}

#[test]
fn a_seed_varies_what_may_vary() {
    let Some(built) = built("builtin-conditions") else {
        return;
    };
    let hash = |seed: &str| {
        let test = "conditions.ConditionsTest#identityHash";
        let ended = poldet(&[
            path(&built.classes),
            "--test",
            test,
            "--seed",
            seed,
            "--format=json",
        ]);
        assert!(
            ended.stdout.contains(&format!("\"seed\": {seed}")),
            "{}",
            ended.stdout
        );
        let line = ended
            .stdout
            .lines()
            .find(|l| l.contains("\"stdout\""))
            .map(str::to_owned);
        line.unwrap_or_else(|| panic!("no output in {}", ended.stdout))
    };
    assert_eq!(hash("1"), hash("1"));
    assert_ne!(hash("1"), hash("2"));
}

#[test]
fn a_list_is_an_order() {
    let jar = example::jar_file();
    let listed = poldet(&[path(&jar), "--list"]);
    assert_eq!(listed.end, End::Exit(0), "{}", listed.stderr);
    let mut names: Vec<&str> = listed.stdout.lines().collect();
    names.reverse();
    let file = fresh("list").join("order.txt");
    fs::write(&file, format!("// backwards\n\n{}\n", names.join("\n"))).expect("it can be written");
    let ended = poldet(&[path(&jar), "--order", path(&file), "--format=json"]);
    let ran: Vec<String> = results(&ended).iter().map(|r| r.id()).collect();
    assert_eq!(ran, names);
}

#[test]
fn tests_named_in_vain_are_an_error_with_a_suggestion() {
    let jar = example::jar_file();
    let jar = path(&jar);
    let order = fresh("order").join("order.txt");
    fs::write(&order, "# first\nshop.CartTest#totals\nshop.Nowhere#x\n").expect("it can be written");
    let vain = ["--test", "shop.Nowhere#x", "--test", "shop.CartTest#totals"];
    refused(&[&[jar][..], &vain].concat(), "'shop.Nowhere#x'");
    refused(&[jar, "--order", path(&order)], "'shop.Nowhere#x'");
    refused(
        &[jar, "--test", "shop.CatlogTest"],
        "did you mean shop.CatalogTest",
    );
    let ended = poldet(&[jar, "--test", "shop.CartTest#total"]);
    assert_eq!(ended.end, End::Exit(2), "{}", ended.stderr);
    let says = "matches --test 'shop.CartTest#total'; did you mean shop.CartTest#totals?";
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    let ended = poldet(&[jar, "--include", "*time.*"]);
    assert!(ended.stderr.contains("--include '*time.*'"), "{}", ended.stderr);
}

#[test]
fn short_names_are_completed() {
    let jar = example::jar_file();
    for name in [
        "totals",
        "CartTest#totals",
        "CartTest.totals",
        "shop.CartTest.totals",
    ] {
        let ended = poldet(&[path(&jar), "--test", name, "--format=json"]);
        assert_eq!(
            outcomes(&results(&ended)),
            ["shop.CartTest#totals passed"],
            "{name}"
        );
    }
}

#[test]
fn the_list_in_json() {
    let ended = poldet(&[path(&example::jar_file()), "--list", "--format=json"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    for part in ["\"class\": \"shop.CartTest\"", "\"method\": \"totals\""] {
        assert!(ended.stdout.contains(part), "{}", ended.stdout);
    }
}

#[test]
fn a_test_has_its_time() {
    let Some(built) = built("bad-loop") else { return };
    let test = "bad.LoopTest#b_neverEnds";
    let ended = poldet(&[
        path(&built.classes),
        "--test",
        test,
        "--timeout=0.2",
        "--format=json",
    ]);
    assert_eq!(outcomes(&results(&ended)), [format!("{test} timed_out")]);
    assert_eq!(ended.end, End::Exit(4), "{}", ended.stderr);
    // Where every thread was, and what had been printed.
    for part in ["bad.LoopTest.b_neverEnds(LoopTest.java:", "in the loop"] {
        assert!(ended.stdout.contains(part), "{}", ended.stdout);
    }
}

#[test]
fn what_fixtures_print_is_kept() {
    let Some(built) = built("builtin-output") else {
        return;
    };
    let reports = fresh("output");
    let ended = poldet(&[path(&built.classes), "--report-dir", path(&reports)]);
    for part in [
        "before failing",
        "fixture goes up",
        "fixture goes down",
        "Reports: ",
    ] {
        assert!(ended.stdout.contains(part), "no {part} in {}", ended.stdout);
    }
    assert!(
        !ended.stdout.contains("a test on stdout"),
        "it passed: {}",
        ended.stdout
    );
    let json = fs::read_to_string(reports.join("poldet.json")).expect("it was written");
    for part in [
        "\"stdout\": \"fixture goes up\\n\"",
        "\"stderr\": \"a test on stderr\\n\"",
    ] {
        assert!(json.contains(part), "no {part} in {json}");
    }
    let xml = fs::read_to_string(reports.join("TEST-output.OutputTest.xml")).expect("it was written");
    for part in [
        "fixture goes up",
        "fixture goes down",
        "a test on stdout ]]]]><![CDATA[>",
    ] {
        assert!(xml.contains(part), "no {part} in {xml}");
    }
}

#[test]
fn output_can_be_passed_on() {
    let Some(built) = built("builtin-output") else {
        return;
    };
    let ended = poldet(&[path(&built.classes), "--show-output"]);
    for part in [
        "a test on stdout",
        "a test on stderr",
        "fixture goes up",
        "fixture goes down",
    ] {
        assert!(ended.stderr.contains(part), "no {part} in {}", ended.stderr);
    }
}
