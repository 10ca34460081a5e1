//! What `poldet run` does around the tests: bad input, jars and folders, lists, report files, the same run twice.

mod common;

use common::{built, fresh, outcomes, path, poldet, results};
use poldet_records::{Document, Record, RunEvent};
use poldet_testdata::engine::End;
use poldet_testdata::suite::{Built, build, example, jar};
use std::fs;

#[test]
fn the_example_suite_runs() {
    let jar = example::jar_file();
    let ended = poldet(&[path(&jar), "--format", "json"]);
    let mut found = outcomes(&results(&ended));
    found.sort();
    let expected = [
        "shop.CartTest#refusesNegativePrices passed",
        "shop.CartTest#sameGoodsAddUp passed",
        "shop.CartTest#totals passed",
        "shop.CatalogTest#forgetsWhenCleared passed",
        "shop.CatalogTest#knowsPrices skipped",
        "shop.CatalogTest#registersABook passed",
        "shop.DiscountTest#noDiscount passed",
        "shop.DiscountTest#tenPercent passed",
        "shop.InvoiceTest#billsInEuro passed",
        "shop.InvoiceTest#printsOnPaper skipped",
        "shop.SettingsTest#startsWithoutDiscount passed",
        "shop.SettingsTest#switchesCurrency passed",
    ];
    assert_eq!(found, expected);
    assert_eq!(ended.end, End::Exit(0));
}

#[test]
fn the_same_run_twice_gives_the_same_report() {
    let jar = example::jar_file();
    let once = poldet(&[path(&jar), "--format", "json"]);
    let again = poldet(&[path(&jar), "--format", "json"]);
    assert_eq!(once.stdout, again.stdout);
}

#[test]
fn an_order_is_kept() {
    let jar = example::jar_file();
    let order = fresh("order").join("order.txt");
    let wanted = [
        "shop.SettingsTest#switchesCurrency",
        "shop.InvoiceTest#billsInEuro",
    ];
    fs::write(&order, wanted.join("\n")).expect("the order can be written");
    let args = [path(&jar), "--order", path(&order), "--format", "json"];
    let ended = poldet(&args);
    let found = outcomes(&results(&ended));
    assert_eq!(
        found[..2],
        [
            "shop.SettingsTest#switchesCurrency passed",
            "shop.InvoiceTest#billsInEuro failed",
        ]
    );
}

#[test]
fn events_come_a_line_each_and_say_what_the_document_says() {
    let jar = example::jar_file();
    let ended = poldet(&[path(&jar), "--format", "jsonl"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let events: Vec<RunEvent> = ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    let saved = poldet(&[path(&jar), "--format", "json"]);
    let document: Document = serde_json::from_str(&saved.stdout).expect("a document");
    let tests: Vec<Record> = events
        .iter()
        .filter_map(|e| match e {
            RunEvent::TestFinished { record } => Some((**record).clone()),
            _ => None,
        })
        .collect();
    // What is restored later is not known when a test ends.
    let mut again = document.clone();
    again.tests = tests;
    again.settle();
    assert_eq!(again.tests, document.tests);
    assert!(matches!(&events[0], RunEvent::RunStarted { head, .. } if head.jdk == document.head.jdk));
    assert!(matches!(events.last(), Some(RunEvent::RunFinished { summary }) if *summary == document.summary));
}

#[test]
fn tests_can_be_listed_without_running_them() {
    let ended = poldet(&[path(&example::jar_file()), "--list"]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    for name in ["shop.CartTest#totals", "shop.SettingsTest#switchesCurrency"] {
        assert!(ended.stdout.contains(name), "{}", ended.stdout);
    }
    assert!(!ended.stdout.contains("shop.Cart#"));
}

#[test]
fn people_see_counts_and_failures() {
    let Some(built) = built("builtin-names") else {
        return;
    };
    let ended = poldet(&[path(&built.classes)]);
    let text = format!("{}{}", ended.stdout, ended.stderr);
    assert!(text.contains("names.CalcTest"), "{text}");
    assert!(text.contains("expected:<1> but was:<-1>"), "{text}");
    assert!(text.contains("CalcTest.java:"), "no line of the test:\n{text}");
    assert!(!text.contains('\u{1b}'), "colours without a terminal:\n{text}");
}

#[test]
fn reports_as_surefire_writes_them() {
    let Some(built) = built("builtin-outcomes") else {
        return;
    };
    let folder = fresh("reports");
    let ended = poldet(&[
        path(&built.classes),
        "--format",
        "junit",
        "--report-dir",
        path(&folder),
    ]);
    assert_eq!(ended.end, End::Exit(0), "{}", ended.stderr);
    let file = folder.join("TEST-outcomes.OutcomesTest.xml");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}; {}", file.display(), ended.stderr));
    for part in [
        "<testsuite",
        "<testcase",
        "name=\"numbersDiffer\"",
        "classname=\"outcomes.OutcomesTest\"",
        "<failure",
        "type=\"java.lang.AssertionError\"",
        "<error",
        "type=\"java.lang.IllegalStateException\"",
        "<skipped",
        "not today",
        "message=\"expected:&lt;1&gt; but was:&lt;2&gt;\"",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn a_jar_runs_as_its_folder_does() {
    let Some(built) = built("builtin-outcomes") else {
        return;
    };
    let jar = built.jar().expect("the jar can be written");
    let of_jar = poldet(&[path(&jar), "--format", "json"]);
    let of_folder = poldet(&[path(&built.classes), "--format", "json"]);
    assert_eq!(outcomes(&results(&of_jar)), outcomes(&results(&of_folder)));
}

#[test]
fn damaged_jars_are_refused_by_name() {
    let folder = fresh("damaged");
    let whole = fs::read(example::jar_file()).expect("the example is there");
    let damaged: [(&str, Vec<u8>); 4] = [
        ("empty.jar", Vec::new()),
        (
            "garbage.jar",
            b"this is not a jar, whatever its name says\n".repeat(50),
        ),
        ("cut.jar", whole[..whole.len() / 2].to_vec()),
        ("directory-lost.jar", whole[..whole.len() - 30].to_vec()),
    ];
    for (name, bytes) in damaged {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("the file can be written");
        let ended = poldet(&[path(&file), "--format", "json"]);
        assert_eq!(
            ended.end,
            End::Exit(3),
            "{name}: {}{}",
            ended.stdout,
            ended.stderr
        );
        assert!(ended.stderr.contains(name), "{name}: {}", ended.stderr);
    }
    let ended = poldet(&[path(&folder.join("nowhere.jar"))]);
    assert_eq!(ended.end, End::Exit(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("nowhere.jar"), "{}", ended.stderr);
}

#[test]
fn a_damaged_class_costs_only_itself() {
    let Some(built) = built("builtin-names") else {
        return;
    };
    let mut entries = jar::files(&built.classes).expect("the classes can be read");
    for (name, bytes) in &mut entries {
        if name.ends_with("/CalcMoreTest.class") {
            bytes.truncate(bytes.len() / 2);
        }
    }
    let file = fresh("damaged-class").join("suite.jar");
    fs::write(&file, jar::of(&entries)).expect("the jar can be written");
    let found = outcomes(&results(&poldet(&[path(&file), "--format", "json"])));
    assert!(
        found.contains(&"names.CalcTest#adds passed".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"names.CalcMoreTest error".to_owned()),
        "{found:?}"
    );
}

#[test]
fn wrong_usage_has_its_exit_code() {
    for args in [&["--no-such-option"][..], &[], &["x.jar", "--format", "telegram"]] {
        assert_eq!(poldet(args).end, End::Exit(3), "{args:?}");
    }
}

/// Runs the tests in this order: what ran, in the order it ended.
fn ordered(built: &Built, name: &str, order: &[&str]) -> Vec<String> {
    let file = fresh(name).join("order.txt");
    fs::write(&file, order.join("\n")).expect("the order can be written");
    let jars = build::class_path(&built.jars);
    let ended = poldet(&[
        path(&built.classes),
        "-cp",
        &jars,
        "--order",
        path(&file),
        "--format=json",
    ]);
    results(&ended).iter().map(|r| r.id()).collect()
}

#[test]
fn a_test_named_twice_runs_twice() {
    let Some(built) = built("builtin-names") else {
        return;
    };
    let order = [
        "names.CalcTest#adds",
        "names.CalcMoreTest#adds",
        "names.CalcTest#subtracts",
        "names.CalcTest#adds",
        "names.CalcTest#adds",
    ];
    assert_eq!(ordered(&built, "order-twice", &order), order);
}

#[test]
#[ignore = "fetches JUnit from Maven Central"]
fn an_order_across_kinds_of_tests() {
    let Some(five) = built("junit5-names") else {
        return;
    };
    let order = [
        "names.NamesTest#small[3]",
        "names.NamesTest#plain",
        "names.NamesTest$Inner#plain",
        "names.NamesTest#small[1]",
        "names.NamesTest#plain",
    ];
    assert_eq!(ordered(&five, "order-five", &order), order);
    let Some(four) = built("junit4-names") else {
        return;
    };
    let order = [
        "names.ParamTest#same[2]",
        "names.ParamTest#small[0]",
        "names.ParamTest#same[0]",
    ];
    assert_eq!(ordered(&four, "order-four", &order), order);
}
