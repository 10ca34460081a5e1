//! What `poldet inject` found, for people and as tables.

use poldet_records::inject::{FailureKind, InjectDocument, Mutant, OdTest, OdType};
use std::io::{Result, Write};
use std::path::Path;

pub fn report(out: &mut dyn Write, document: &InjectDocument, dir: &Path, colour: bool) -> Result<()> {
    let bold = |text: &str| {
        if colour {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    for mutant in document.mutants.iter().filter(|m| m.is_od()) {
        let line = format!("{}:{}", mutant.file, mutant.line);
        writeln!(out, "{}  {} without line {line}", bold(&mutant.id), mutant.test)?;
        writeln!(out, "    deleted: {}", one_line(&mutant.statement))?;
        for test in mutant.od_tests.iter().filter(|t| t.kind != OdType::Nod) {
            od_test(out, test)?;
        }
        writeln!(out)?;
    }
    for left in &document.left_out {
        writeln!(out, "left out: {}: {}", left.what, left.why)?;
    }
    let m = &document.metrics;
    let headline = format!(
        "{} of {} valid mutants have order-dependent tests: {} with victims, {} with brittles.",
        m.od_mutants, m.valid_mutants, m.victims, m.brittles
    );
    writeln!(out, "{}", bold(&headline))?;
    writeln!(
        out,
        "    {} mutants of {} stable tests; {} do not compile; failures by assertion in {}, by another exception in {}",
        m.mutants,
        m.stable_tests,
        m.mutants - m.valid_mutants,
        m.assertion,
        m.exceptions
    )?;
    writeln!(
        out,
        "    order-dependent by some mutant: {:.1}% of the tests, {:.1}% of the classes; without mutation {:.1}% and {:.1}%",
        100.0 * m.od_tests_ratio,
        100.0 * m.od_classes_ratio,
        100.0 * document.unmutated.od_tests_ratio,
        100.0 * document.unmutated.od_classes_ratio
    )?;
    if !document.unstable.is_empty() {
        writeln!(
            out,
            "    {} tests are not stable and were not mutated",
            document.unstable.len()
        )?;
    }
    let unevaluated = document.mutants.iter().filter(|m| m.why_not.is_some()).count();
    if unevaluated > 0 {
        writeln!(
            out,
            "    {unevaluated} valid mutants were not evaluated; the data set says why"
        )?;
    }
    if document.head.interrupted {
        writeln!(out, "Interrupted: the same command goes on where it stopped.")?;
    }
    writeln!(out, "Data set: {}", dir.display())
}

fn od_test(out: &mut dyn Write, test: &OdTest) -> Result<()> {
    let what = match test.kind {
        OdType::Victim => "victim",
        OdType::Brittle => "brittle",
        OdType::Nod => "nod",
    };
    writeln!(out, "    {what}: {}", test.test)?;
    let lists = [
        ("fails after", &test.polluters),
        ("passes after", &test.state_setters),
        ("cleaned by", &test.cleaners),
    ];
    for (what, list) in lists {
        for tests in list {
            writeln!(out, "        {what} {}", tests.join(", "))?;
        }
    }
    for place in &test.state {
        writeln!(
            out,
            "        because of {}{}: {} → {}",
            place.root, place.path, place.before, place.after
        )?;
    }
    if let Some(message) = &test.message {
        writeln!(out, "        {}", one_line(message))?;
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One row a mutant, and one more for each further order-dependent test of it.
pub fn table(document: &InjectDocument) -> String {
    let mut text = String::from(
        "id,class,test,file,line,statement,valid,why_not,orders,role,od_test,type,failure,polluters,state_setters,cleaners,state\n",
    );
    for mutant in &document.mutants {
        let tests: Vec<Option<&OdTest>> = match mutant.od_tests.is_empty() {
            true => vec![None],
            false => mutant.od_tests.iter().map(Some).collect(),
        };
        for test in tests {
            text.push_str(&row(mutant, test));
        }
    }
    text
}

fn row(mutant: &Mutant, test: Option<&OdTest>) -> String {
    let word = |value: Option<serde_json::Value>| {
        let text = value.and_then(|v| v.as_str().map(str::to_owned));
        text.unwrap_or_default()
    };
    let role = mutant.role.and_then(|r| serde_json::to_value(r).ok());
    let kind = test.and_then(|t| serde_json::to_value(t.kind).ok());
    let failure = test.and_then(|t| serde_json::to_value(t.failure).ok());
    let lists = |of: fn(&OdTest) -> &Vec<Vec<String>>| {
        let all = test.map(of).into_iter().flatten();
        all.map(|tests| tests.join("+")).collect::<Vec<_>>().join("; ")
    };
    let state: Vec<String> = test
        .iter()
        .flat_map(|t| &t.state)
        .map(|p| format!("{}{}", p.root, p.path))
        .collect();
    let cells = [
        mutant.id.clone(),
        mutant.class.clone(),
        mutant.test.clone(),
        mutant.file.clone(),
        mutant.line.to_string(),
        one_line(&mutant.statement),
        mutant.valid.to_string(),
        mutant.why_not.clone().unwrap_or_default(),
        mutant.orders.to_string(),
        word(role),
        test.map(|t| t.test.clone()).unwrap_or_default(),
        word(kind),
        word(failure),
        lists(|t| &t.polluters),
        lists(|t| &t.state_setters),
        lists(|t| &t.cleaners),
        state.join("; "),
    ];
    let cells: Vec<String> = cells.iter().map(|c| cell(c)).collect();
    format!("{}\n", cells.join(","))
}

/// Order-dependent tests of mutants as rows of IDoFT's table of order-dependent tests, with the mutant's id in front.
pub fn idoft(document: &InjectDocument) -> String {
    let mut text = String::from(
        "Mutant,Project URL,SHA Detected,Module Path,OD-test,Relevant-test(if it is VP/BSS),Relevant-test(if it is VPC),OD-test-type\n",
    );
    let dots = |name: &str| name.replace('#', ".");
    for mutant in &document.mutants {
        for test in mutant.od_tests.iter().filter(|t| t.kind != OdType::Nod) {
            let (relevant, kind) = match test.kind {
                OdType::Victim => (&test.polluters, "victim"),
                _ => (&test.state_setters, "brittle"),
            };
            let joined = |tests: Option<&Vec<String>>| tests.map(|t| dots(&t.join("+"))).unwrap_or_default();
            let relevant: Vec<String> = relevant.iter().map(|t| joined(Some(t))).collect();
            for relevant in relevant
                .iter()
                .map(String::as_str)
                .chain(relevant.is_empty().then_some(""))
            {
                text.push_str(&format!(
                    "{},,,,{},{},{},{kind}\n",
                    mutant.id,
                    cell(&dots(&test.test)),
                    cell(relevant),
                    cell(&joined(test.cleaners.first())),
                ));
            }
        }
    }
    text
}

/// How often each way of failing was seen among the order-dependent tests of mutants.
pub fn failures(document: &InjectDocument) -> (usize, usize) {
    let tests = || document.mutants.iter().flat_map(|m| &m.od_tests);
    let count = |kind| {
        tests()
            .filter(|t| t.kind != OdType::Nod && t.failure == kind)
            .count()
    };
    (count(FailureKind::Assertion), count(FailureKind::Exception))
}

/// A cell of a CSV file.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
