//! The report page in a real browser, by mouse and by keyboard. Without Chromium on the machine only its bytes are
//! checked.

mod browser;
mod sample;

use browser::Browser;
use poldet_testdata::compile::junit_classes;
use sample::{HOSTILE, Sample};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Goes from the run at a glance to the table of findings.
fn list_findings(b: &mut Browser) {
    b.eval("choose(TABS.find((t) => t.id === 'findings'))");
}

/// A browser with the page open.
fn opened(sample: &Sample, name: &str) -> Option<Browser> {
    let file = sample.write(name);
    let mut browser = Browser::start(name)?;
    browser.open(&file);
    // The first view is the run at a glance.
    list_findings(&mut browser);
    Some(browser)
}

/// The texts of a column of the rows in sight.
fn column(b: &mut Browser, number: usize) -> Vec<String> {
    let cells = b.eval(&format!(
        "[...document.querySelectorAll('#rows tr.row td:nth-child({number})')].map((c) => c.title || c.textContent)"
    ));
    serde_json::from_value(cells).expect("texts")
}

fn roots(b: &mut Browser) -> Vec<String> {
    column(b, 2)
}

/// What has the focus, in a word or two.
fn focus(b: &mut Browser) -> String {
    let found = b.eval(
        "(() => { const e = document.activeElement; \
         return e.id || e.getAttribute('aria-label') || e.textContent || e.tagName; })()",
    );
    found.as_str().unwrap_or_default().to_owned()
}

fn nodes(b: &mut Browser) -> f64 {
    b.number("document.querySelectorAll('.graph-box g.node').length")
}

#[test]
fn the_bytes_are_the_same_each_time_and_hold_no_markup_of_findings() {
    let once = sample::hostile().html();
    assert_eq!(once, sample::hostile().html());
    assert_eq!(once.matches("<script").count(), 2);
    assert_eq!(once.matches("</script").count(), 2);
    assert!(!once.contains("<img"));
    assert!(!once.contains("http-equiv=\"refresh\"") && !once.contains("src=\"http"));
    let (_, rest) = once.split_once("id=\"data\">").expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    let document: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(document["findings"][0]["root"], json!(format!("a.{HOSTILE}")));
    assert_eq!(document["seed"], json!("18446744073709551615"));
    // Both findings and both files were written at one place.
    assert_eq!(document["stacks"], json!([[0]]));
}

#[test]
fn rows_are_ranked_sorted_filtered_and_searched() {
    let Some(mut b) = opened(&sample::small(), "rows") else {
        return;
    };
    let ranked = [
        "shop.Registry.users",
        "org.lib.Sequence.last",
        "java.util.Locale.defaultLocale",
        "shop.Prices.cache",
    ];
    assert_eq!(
        roots(&mut b),
        ranked,
        "the internal finding is not listed at first"
    );
    assert_eq!(b.text("#suite"), "shop-tests.jar");
    let figures = b.text("#figures");
    for part in [
        "Polluters2 of 3 tests",
        "Findings3 1 suite · 1 library · 1 JDK",
        "Files1",
        "rules5",
    ] {
        assert!(figures.contains(part), "{part} in {figures}");
    }
    assert!(b.text("#facts").contains("seed 18446744073709551615"));
    b.click("#rows th:nth-child(2) button");
    let mut sorted = ranked;
    sorted.sort_unstable();
    assert_eq!(roots(&mut b), sorted);
    assert_eq!(
        b.eval("document.querySelector('th[aria-sort]').ariaSort"),
        json!("ascending")
    );
    b.click("#rows th:nth-child(2) button");
    sorted.reverse();
    assert_eq!(roots(&mut b), sorted);
    b.click("#rows th:nth-child(2) button");
    assert_eq!(roots(&mut b), ranked);

    let filtered = [
        ("kind", "added", "shop.Registry.users"),
        ("label", "counter", "org.lib.Sequence.last"),
        ("origin", "jdk", "java.util.Locale.defaultLocale"),
        ("rule", "cache", "shop.Prices.cache"),
    ];
    for (key, value, gone) in filtered {
        let chip = format!("input[data-filter={key}][value={value}]");
        b.click(&chip);
        let left = roots(&mut b);
        assert!(
            left.len() == 3 && !left.contains(&gone.to_owned()),
            "{key} {value}: {left:?}"
        );
        assert_eq!(b.text("#status"), "3 of 5 rows");
        b.click(&chip);
    }
    b.click("input[data-filter=shows][value=internal]");
    assert_eq!(
        roots(&mut b)[3],
        "shop.Registry.names",
        "internal ones after the others"
    );
    assert_eq!(b.text("#status"), "5 rows");

    b.click("#query");
    // Only in a stack.
    b.write("SEQUENCE.java:7");
    assert_eq!(roots(&mut b), ["org.lib.Sequence.last"]);
    b.key("Escape");
    assert_eq!(roots(&mut b).len(), 5);
    b.write("nowhere to be found");
    assert!(
        b.text("#rows tbody")
            .contains("5 rows hidden by search and filters")
    );
    b.click("#rows .empty button");
    assert_eq!(roots(&mut b).len(), 5);
    b.assert_quiet();
}

#[test]
fn other_tables_have_their_rows() {
    let Some(mut b) = opened(&sample::small(), "tables") else {
        return;
    };
    b.click("#tab-fixtures");
    assert_eq!(column(&mut b, 1), ["shop.ShopTest"]);
    b.click("#rows tr.row");
    assert!(b.text("#detail .sub").contains("the fixture of shop.ShopTest"));
    b.click("#tab-files");
    assert!(b.eval("document.getElementById('detail').hidden") == json!(true));
    assert_eq!(column(&mut b, 1), ["out/report.txt"]);
    assert_eq!(column(&mut b, 5), ["shop.Report.save (Report.java:5)"]);
    b.click("#rows tr.row");
    assert!(
        b.text("#detail .stack")
            .contains("shop.Report.save (Report.java:5)")
    );
    b.click("#tab-rules");
    assert_eq!(column(&mut b, 1), ["cache", "junit"]);
    assert_eq!(column(&mut b, 3), ["3", "0"]);
    assert_eq!(column(&mut b, 4), ["0", "2"]);
    b.click("#rows tr.row");
    assert!(b.text("#detail").contains("name: *cache*"));
    b.click("#tab-tests");
    assert_eq!(column(&mut b, 4), ["yes", "yes", "no"]);
    b.click("#rows tr.row:nth-child(3)");
    // A test opens with what it changed.
    assert!(b.text("#detail-title").contains("shop.SequenceTest#counts[1]"));
    assert!(b.text("#detail").contains("org.lib.Sequence.last"));
    b.click("#tab-roots");
    b.click("#rows tr.row:nth-child(2)");
    assert_eq!(roots(&mut b), ["shop.Registry.users"]);
    b.click("#filters .scope");
    assert_eq!(roots(&mut b).len(), 4);
    b.assert_quiet();
}

#[test]
fn a_finding_opens_with_its_graph_and_stack() {
    let Some(mut b) = opened(&sample::small(), "graph") else {
        return;
    };
    assert_eq!(nodes(&mut b), 0.0, "a graph is drawn only when asked for");
    b.click("#rows tr.row");
    assert!(b.text("#detail-title").contains("shop.Registry.users[\"bob\"]"));
    let stack =
        b.eval("[...document.querySelectorAll('.stack li')].map((l) => [l.textContent, l.className])");
    assert_eq!(
        stack,
        json!([
            ["java.util.HashMap.putVal (HashMap.java:661)", "outside"],
            ["shop.Registry.register (Registry.java:41)", "first"],
            ["shop.RegistryTest.registers (RegistryTest.java:22)", ""],
        ])
    );
    let command = "poldet run shop-tests.jar --test 'shop.RegistryTest#registers'";
    assert_eq!(b.text(".command"), command);
    // The ways to the differences: not the locale, not alice's mail.
    assert_eq!(nodes(&mut b), 6.0);
    let overlaps = b.number(
        "(() => { const r = [...document.querySelectorAll('.graph-box .node .shape')].map((n) => n.getBoundingClientRect()); \
         return r.filter((a, i) => r.some((c, j) => i !== j && a.x < c.right && c.x < a.right && a.y < c.bottom && c.y < a.bottom)).length; })()",
    );
    assert_eq!(overlaps, 0.0, "nodes lie on each other");
    // Not by colour alone: removed is dashed, changed has another outline, each has its sign.
    let marks = b.eval(
        "[...document.querySelectorAll('.graph-box g.node')].map((n) => [n.querySelector('.node-label').textContent, \
         n.querySelector('.shape').tagName, getComputedStyle(n.querySelector('.shape')).strokeDasharray !== 'none', \
         (n.querySelector('.sign') || {}).textContent || ''])",
    );
    for mark in [
        json!(["HashMap(2)", "path", false, "≠"]),
        json!(["User bob", "rect", false, "+"]),
        json!(["User carol", "rect", true, "−"]),
        json!(["User alice", "rect", false, ""]),
    ] {
        assert!(
            marks.as_array().is_some_and(|m| m.contains(&mark)),
            "{mark} in {marks}"
        );
    }
    b.click(".graph-box g.node[data-id='0']");
    assert_eq!(nodes(&mut b), 7.0, "the root's locale");
    b.click(".graph-box g.node[data-id='2']");
    assert_eq!(nodes(&mut b), 8.0, "alice's mail");
    assert_eq!(b.text(".graph-note"), "User alice");
    let edges = "document.querySelectorAll('.graph-box .edge').length";
    assert_eq!(b.number(edges), 8.0);
    b.click(".graph-box g.node[data-id='1']");
    assert_eq!(b.number(edges), 9.0, "the map's own way to alice");
    b.click(".graph-box g.node[data-id='1']");
    assert_eq!(nodes(&mut b), 3.0, "the map closed");
    b.click(".graph-bar button[aria-label='Show every node']");
    assert_eq!(nodes(&mut b), 8.0);
    b.click(".graph-bar button[aria-label^='Show only']");
    assert_eq!(nodes(&mut b), 6.0);
    // A finding without a graph is drawn from its two values.
    b.click("#rows tr.row:nth-child(3)");
    assert_eq!(nodes(&mut b), 3.0);
    assert!(b.eval("location.hash") == json!("#finding-3"));
    b.assert_quiet();
}

#[test]
fn an_address_leads_to_its_finding() {
    let file = sample::small().write("address");
    let Some(mut b) = Browser::start("address") else {
        return;
    };
    b.open(&std::path::PathBuf::from(format!("{}#finding-2", file.display())));
    assert!(
        b.text("#detail-title").contains("shop.Registry.names.modCount"),
        "internal ones too"
    );
    b.assert_quiet();
}

#[test]
fn the_keyboard_is_enough() {
    let Some(mut b) = opened(&sample::small(), "keys") else {
        return;
    };
    b.key("Tab");
    assert_eq!(focus(&mut b), "Skip to the table");
    b.key("Tab");
    assert_eq!(focus(&mut b), "tab-findings");
    b.key("ArrowRight");
    assert_eq!(focus(&mut b), "tab-tests");
    b.key("ArrowLeft");
    b.key("Tab");
    assert_eq!(focus(&mut b), "query");
    b.key("Tab");
    // The first filter can be changed by the space bar.
    b.key(" ");
    assert!(b.text("#status").contains(" of 5 rows"));
    b.key(" ");
    b.key("/");
    assert_eq!(focus(&mut b), "query");
    b.key("ArrowDown");
    assert_eq!(focus(&mut b), "shop.RegistryTest#registers");
    b.key("ArrowDown");
    assert_eq!(focus(&mut b), "shop.SequenceTest#counts[1]");
    let ring = b.eval("getComputedStyle(document.activeElement.closest('td')).boxShadow");
    assert_ne!(ring, json!("none"), "the row with the focus is marked");
    b.key("ArrowUp");
    b.key("ArrowUp");
    assert_eq!(focus(&mut b), "Test");
    b.key("ArrowRight");
    b.key("Enter");
    assert_eq!(
        roots(&mut b)[0],
        "java.util.Locale.defaultLocale",
        "sorted by root"
    );
    b.key("Enter");
    b.key("Enter");
    b.key("ArrowDown");
    b.key("Home");
    b.key("Enter");
    assert_eq!(focus(&mut b), "detail-title");
    keys_in_the_graph(&mut b);
    b.key("Escape");
    assert!(b.eval("document.getElementById('detail').hidden") == json!(true));
    assert_eq!(focus(&mut b), "shop.RegistryTest#registers");
    b.key("Enter");
    b.key("Tab");
    b.key("Tab");
    assert_eq!(focus(&mut b), "Next row");
    b.key("Enter");
    assert!(b.text("#detail-title").contains("org.lib.Sequence.last"));
    assert_eq!(focus(&mut b), "Next row");
    b.assert_quiet();
}

/// From the pane's title on: to the graph, through it, opening and closing nodes.
fn keys_in_the_graph(b: &mut Browser) {
    for _ in 0..20 {
        if b.eval("document.activeElement.matches('g.node')") == json!(true) {
            break;
        }
        b.key("Tab");
    }
    assert!(focus(b).starts_with("shop.Registry"), "{}", focus(b));
    let ring = b.eval("getComputedStyle(document.activeElement.querySelector('.ring')).stroke");
    assert_ne!(ring, json!("none"), "the node with the focus is marked");
    assert_eq!(nodes(b), 6.0);
    b.key("ArrowRight");
    assert_eq!(nodes(b), 7.0);
    b.key("ArrowRight");
    assert!(
        focus(b).starts_with("HashMap(2), at users, changed"),
        "{}",
        focus(b)
    );
    b.key("ArrowLeft");
    assert_eq!(nodes(b), 3.0);
    assert_eq!(b.eval("document.activeElement.ariaExpanded"), json!("false"));
    b.key("Enter");
    assert_eq!(nodes(b), 7.0);
    b.key("ArrowDown");
    assert!(focus(b).starts_with("Locale en_US"), "{}", focus(b));
    b.key("ArrowLeft");
    assert!(focus(b).starts_with("shop.Registry"), "{}", focus(b));
}

#[test]
fn hostile_texts_are_texts() {
    let Some(mut b) = opened(&sample::hostile(), "hostile") else {
        return;
    };
    for tab in ["findings", "tests", "roots", "files", "fixtures", "rules"] {
        b.click(&format!("#tab-{tab}"));
        b.click("#rows tr.row");
        if b.eval("document.getElementById('detail').hidden") == json!(false) {
            let shown = b.text("#detail");
            assert!(
                shown.contains("</script><script>window.hacked = 1</script>"),
                "{tab}"
            );
            assert!(shown.contains("\\u202e\\u0000 \\n é 漢 \u{1f600}"), "{tab}");
        }
        let strange = b.number("document.querySelectorAll('img, iframe, body script:not(#data)').length");
        assert_eq!(strange, 1.0, "{tab}");
    }
    b.click("#tab-findings");
    b.click("#filters .scope");
    b.click("#rows tr.row");
    b.click(".graph-bar button[aria-label='Show every node']");
    assert_eq!(nodes(&mut b), 8.0);
    // Even a value of 200,000 characters is there as a whole, in a box of its own.
    assert!(b.number("document.querySelector('pre.after').textContent.length") > 200_000.0);
    assert!(b.number("document.querySelector('pre.after').clientHeight") < 400.0);
    assert_eq!(b.number("document.documentElement.scrollWidth - innerWidth"), 0.0);
    assert_eq!(b.eval("window.hacked === undefined"), json!(true));
    b.assert_quiet();
}

#[test]
fn five_thousand_findings_stay_quick() {
    let file = sample::many(5000).write("many");
    let Some(mut b) = Browser::start("many") else {
        return;
    };
    let took = b.open(&file);
    assert!(took.as_secs() < 20, "opening took {took:?}");
    list_findings(&mut b);
    assert!(b.number("document.querySelectorAll('#rows tr.row').length") < 100.0);
    assert_eq!(b.text("#status"), "5,000 rows");
    // The times are the browser's own; the limits leave room for a slow machine.
    let timed = |b: &mut Browser, what: &str| {
        b.number(&format!("(() => {{ const t = performance.now(); {what}; document.body.offsetHeight; return performance.now() - t; }})()"))
    };
    let sorting = timed(&mut b, "table.sortBy(6)");
    let searching = timed(
        &mut b,
        "document.getElementById('query').value = 'holder77 registry.java:41'; list()",
    );
    assert_eq!(b.text("#status"), "50 of 5,000 rows");
    let clearing = timed(&mut b, "resetFilters()");
    let scrolling = timed(&mut b, "table.box.scrollTop = 60000; table.scrolled()");
    let opening = timed(&mut b, "open(table.rows[1000], false)");
    println!(
        "ms: sort {sorting:.0}, search {searching:.0}, clear {clearing:.0}, scroll {scrolling:.0}, open {opening:.0}"
    );
    for (what, time) in [
        ("sort", sorting),
        ("search", searching),
        ("clear", clearing),
        ("scroll", scrolling),
        ("open", opening),
    ] {
        assert!(time < 2000.0, "{what} took {time} ms");
    }
    b.eval("detail.close(false); table.sortBy(6); table.sortBy(6); table.box.scrollTop = 0");
    b.settle();
    b.click("#rows tr.row");
    b.key("End");
    // The pane follows the row.
    assert!(
        b.text("#detail-title").contains("[4997]"),
        "{}",
        b.text("#detail-title")
    );
    assert!(column(&mut b, 3).contains(&"[4997]".to_owned()));
    assert_eq!(
        b.eval("document.querySelector('#rows table').getAttribute('aria-rowcount')"),
        json!("5001")
    );
    b.assert_quiet();
}

#[test]
fn poldet_run_writes_a_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let run = |name: &str| {
        let file = folder.join(name);
        let ended = Command::new(env!("CARGO_BIN_EXE_poldet"))
            .args([
                "run",
                concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/example/example.jar"),
            ])
            .args([Path::new("--html"), &file])
            .output()
            .expect("poldet can be run");
        assert!(
            ended.status.success(),
            "{}",
            String::from_utf8_lossy(&ended.stderr)
        );
        file
    };
    let file = run("example.html");
    let once = std::fs::read(&file).expect("the page");
    let again = std::fs::read(run("again.html")).expect("the page");
    assert!(once == again, "two runs, two pages");
    let Some(mut b) = Browser::start("example") else {
        return;
    };
    b.open(&file);
    // The run at a glance: a mark opens its finding, and keys move between them.
    assert_eq!(
        b.number("document.querySelectorAll('button.matrix-field').length"),
        2.0
    );
    b.click("button.matrix-field");
    assert!(
        b.text(".matrix-note").contains("shop.CatalogTest#registersABook"),
        "{}",
        b.text(".matrix-note")
    );
    b.key("ArrowRight");
    assert!(
        b.text(".matrix-note")
            .contains("restores what shop.CatalogTest#registersABook changed")
    );
    b.key("Enter");
    assert!(b.text("#detail").contains("a cleaner, not a polluter"));
    b.key("Escape");
    b.key("?");
    assert!(b.text("dialog.help").contains("next and previous finding"));
    b.key("Escape");
    list_findings(&mut b);
    let listed = roots(&mut b);
    let at = listed.iter().position(|r| r == "shop.Settings.currency");
    let at = at.unwrap_or_else(|| panic!("the currency in {listed:?}"));
    b.click(&format!("#rows tr[data-index='{at}']"));
    assert!(
        b.text(".stack .first").contains("shop.Settings."),
        "{}",
        b.text(".stack")
    );
    assert!(nodes(&mut b) >= 3.0, "a root and two values");
    b.assert_quiet();
}

/// The run of the trial suite: what failed, why, what was written where, and numbers as the text has them.
#[test]
fn a_run_is_understood_from_its_page() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/trial/src");
    let Some(classes) = junit_classes(Path::new(sources), &folder.join("trial-classes")) else {
        return;
    };
    let file = folder.join("trial.html");
    let ended = Command::new(env!("CARGO_BIN_EXE_poldet"))
        .args([Path::new("run"), &classes, Path::new("--html"), &file])
        .args(["--sources", sources, "--access"])
        .output()
        .expect("poldet can be run");
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let Some(mut b) = Browser::start("trial") else {
        return;
    };
    b.open(&file);
    let figures = b.text("#figures");
    for part in [
        "Polluters5 of 12 tests",
        "Findings5 3 suite · 2 JDK",
        "Files0",
        "In fixtures0",
        "Cleaners1 ",
    ] {
        assert!(figures.contains(part), "{part} in {figures}");
    }
    let hidden = text
        .lines()
        .find(|l| l.contains(" hidden by "))
        .expect("a line on rules");
    let words: Vec<&str> = hidden.split(' ').collect();
    let same = format!("{} by {} rules", words[0], words[4]);
    assert!(figures.contains(&same), "{same} in {figures}");
    let tabs = b.text("#tabs");
    for part in ["Run5", "Findings5", "Tests12", "Files0", "Fixtures0"] {
        assert!(tabs.contains(part), "{part} in {tabs}");
    }
    // A failure on the axis leads to its message, its stack and its cause.
    b.eval("matrix.openTest(DATA.tests.findIndex((t) => t.name === 'trial.VictimTest#one'))");
    let detail = b.text("#detail");
    for part in [
        "expected:<[]> but was:<[left]>",
        "at trial.VictimTest.expectNoNames(VictimTest.java:",
        "Passes alone, fails after",
        "trial.AdderTest#addsAndSwitches",
        "trial.Registry.NAMES[0]: (absent) → \"left\"",
        "Reads",
    ] {
        assert!(detail.contains(part), "{part} in {detail}");
    }
    b.eval("matrix.openTest(DATA.tests.findIndex((t) => t.name === 'trial.LeftTest#threads'))");
    assert!(
        b.text("#detail")
            .contains("the thread \"worker-0\" and 2 more threads of its kind")
    );
    b.key("Escape");
    // Keys lead from polluter to polluter, and each shows the line that wrote.
    b.key("n");
    assert!(b.text("#detail-title").contains("trial.Registry."));
    assert!(
        b.text(".source .hit").contains("Registry."),
        "{}",
        b.text("#detail")
    );
    b.key("p");
    assert!(
        b.text("#detail-title").contains("trial.Registry.chain"),
        "{}",
        b.text("#detail-title")
    );
    b.key("Escape");
    narrow(&mut b);
    b.assert_quiet();
}

/// At 500 pixels the rows have most of the page, nothing is wider than it, and names keep their methods.
fn narrow(b: &mut Browser) {
    b.size(500, 900);
    list_findings(b);
    let above = b.number("document.getElementById('rows').getBoundingClientRect().top");
    assert!(above < 270.0, "{above} pixels above the rows");
    assert_eq!(b.number("document.documentElement.scrollWidth - innerWidth"), 0.0);
    let first = "input[data-filter=kind]";
    let shows = format!("document.querySelector('{first}').getClientRects().length");
    assert_eq!(b.number(&shows), 0.0, "filters are folded at first");
    b.click(".filter-toggle");
    assert_eq!(b.number(&shows), 1.0);
    b.click(".filter-toggle");
    // The class gives way, not the method.
    let cut = b.number(
        "[...document.querySelectorAll('#rows .name-split')].filter((n) => n.querySelector('.type') && \
         n.querySelector('.own').scrollWidth > n.querySelector('.own').clientWidth + 40).length",
    );
    assert_eq!(cut, 0.0);
    b.size(1280, 900);
}

#[test]
fn fifty_thousand_tests_stay_quick() {
    let file = sample::long(50_000).write("long");
    let Some(mut b) = Browser::start("long") else {
        return;
    };
    let took = b.open(&file);
    assert!(took.as_secs() < 20, "opening took {took:?}");
    assert_eq!(
        b.number("document.querySelectorAll('button.matrix-field').length"),
        200.0
    );
    for what in [
        "matrix.draw()",
        "choose(TABS.find((t) => t.id === 'tests'))",
        "document.getElementById('query').value = 'case4999'; list()",
        "resetFilters()",
        "table.sortBy(1)",
        "table.box.scrollTop = 600000; table.scrolled()",
        "open(table.rows[40000], false)",
        "choose(TABS.find((t) => t.id === 'findings'))",
        "choose(TABS.find((t) => t.id === 'run'))",
    ] {
        let time = b.number(&format!("(() => {{ const t = performance.now(); {what}; document.body.offsetHeight; return performance.now() - t; }})()"));
        println!("{time:.0} ms: {what}");
        assert!(time < 5000.0, "{what} took {time} ms");
    }
    b.assert_quiet();
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_the_run() {
    let nowhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no/such/folder/page.html");
    let ended = Command::new(env!("CARGO_BIN_EXE_poldet"))
        .args([
            "run",
            concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/example/example.jar"),
        ])
        .args([Path::new("--html"), &nowhere])
        .output()
        .expect("poldet can be run");
    assert_eq!(ended.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&ended.stderr).contains("page.html"));
}

const CONTRAST: &str = "
(() => {
  const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const low = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let t; (t = texts.nextNode());) {
    const e = t.parentElement;
    if (!t.data.trim() || e.closest('script, noscript, .skip') || !e.getClientRects().length) continue;
    const shape = e.closest('g.node');
    const back = shape ? rgb(getComputedStyle(shape.querySelector('.shape')).fill) : ground(e);
    const ink = rgb(e.closest('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color);
    const [a, b] = [light(back), light(ink)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push(t.data.slice(0, 30) + ' ' + ratio.toFixed(2));
  }
  return low;
})()";

#[test]
fn light_and_dark_are_both_readable() {
    let Some(mut b) = opened(&sample::small(), "schemes") else {
        return;
    };
    b.click("#rows tr.row");
    let mut grounds = Vec::new();
    for scheme in ["light", "dark"] {
        b.colour_scheme(scheme);
        grounds.push(b.eval("getComputedStyle(document.body).backgroundColor"));
        assert_eq!(b.eval(CONTRAST), json!([]), "too little contrast in {scheme}");
    }
    assert_eq!(json!(grounds), json!(["rgb(251, 251, 249)", "rgb(22, 23, 25)"]));
    b.assert_quiet();
}

#[test]
fn everything_to_operate_has_a_name() {
    let Some(mut b) = opened(&sample::small(), "names") else {
        return;
    };
    b.click("#rows tr.row");
    let tree = b.call("Accessibility.getFullAXTree", json!({}));
    let mut seen = std::collections::BTreeSet::new();
    for node in tree["nodes"].as_array().expect("nodes") {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let name = node["name"]["value"].as_str().unwrap_or_default();
        let operated = [
            "button",
            "checkbox",
            "searchbox",
            "tab",
            "treeitem",
            "tree",
            "table",
            "tablist",
            "region",
            "link",
        ];
        if operated.contains(&role) && node["ignored"] == json!(false) {
            assert!(!name.trim().is_empty(), "{node}");
            seen.insert(role.to_owned());
        }
    }
    for role in [
        "button",
        "checkbox",
        "searchbox",
        "tab",
        "treeitem",
        "tree",
        "table",
    ] {
        assert!(seen.contains(role), "no {role} in {seen:?}");
    }
    b.assert_quiet();
}
