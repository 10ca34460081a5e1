//! What `poldet fix` proposes, for people, and the text of a pull request.

use crate::report::nio::read_at;
use crate::report::pollution::{frame_text, written};
use poldet_records::{FixDocument, FixTest, FixVerdict, Outcome, Patch, PatchKind, SearchPlace};
use std::fmt::Write as _;
use std::io::{Result, Write};
use std::path::Path;

pub fn report(out: &mut dyn Write, document: &FixDocument, folder: &Path, colour: bool) -> Result<()> {
    let bold = |text: &str| match colour {
        true => format!("\x1b[1m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    for test in &document.tests {
        let what = if test.fixed { "FIXED" } else { "NOT FIXED" };
        writeln!(out, "{}  {} ({})", bold(what), test.test, test.verdict.text())?;
        if let Some(others) = test.others.first() {
            writeln!(out, "    {}", relation(test, &others.join(", ")))?;
        }
        for place in &test.state {
            writeln!(
                out,
                "    {}{}: {} → {}",
                place.root, place.path, place.before, place.after
            )?;
        }
        for (number, patch) in test.patches.iter().enumerate() {
            writeln!(
                out,
                "    patch {}: {}",
                number + 1,
                folder.join(&patch.file).display()
            )?;
            writeln!(out, "        {}, {}", origin(patch), patch.placement)?;
            for line in patch.code.iter().flat_map(|c| c.lines()) {
                writeln!(out, "            {line}")?;
            }
            writeln!(out, "        {}", checked(test, patch))?;
        }
        if let Some(why) = &test.why_not {
            writeln!(out, "    {why}")?;
        }
        writeln!(out)?;
    }
    let sums = &document.summary;
    let headline = format!(
        "{} of {} tests {} a patch; {} {} in {}.",
        sums.fixed,
        sums.tests,
        if sums.fixed == 1 { "has" } else { "have" },
        sums.patches,
        if sums.patches == 1 { "patch" } else { "patches" },
        folder.display()
    );
    writeln!(out, "{}", bold(&headline))?;
    if document.head.interrupted {
        writeln!(out, "Interrupted: tests without a result are not listed.")?;
    }
    Ok(())
}

fn relation(test: &FixTest, others: &str) -> String {
    match test.verdict {
        FixVerdict::Victim => format!("passes alone, fails after {others}"),
        FixVerdict::Brittle => format!("fails alone, passes after {others}"),
        FixVerdict::Nio => "passes, and fails when it runs again".to_owned(),
        FixVerdict::Nod => "passes or fails, depending on the seed".to_owned(),
    }
}

fn origin(patch: &Patch) -> String {
    let count = |n: usize| match n {
        1 => "1 statement".to_owned(),
        n => format!("{n} statements"),
    };
    match (&patch.helper, patch.kind, patch.statements_of_helper) {
        (Some(helper), PatchKind::Helper, Some(of)) => {
            format!("{} of the {of} of {}", count(patch.statements), helper.join(", "))
        }
        _ => count(patch.statements),
    }
}

fn checked(test: &FixTest, patch: &Patch) -> String {
    let with = patch.verified.iter().filter(|v| v.order.contains(&test.test));
    let passed = with.filter(|v| v.outcome == Outcome::Passed).count();
    let java = match patch.hotspot.len() {
        0 => String::new(),
        n => format!("; {n} of them also on java"),
    };
    let restores = match (patch.restores, test.verdict) {
        (Some(true), FixVerdict::Brittle) => "; the state is as a state-setter leaves it",
        (Some(true), _) => "; the state is as it was before",
        (Some(false), FixVerdict::Brittle) => "; the state is not exactly as a state-setter leaves it",
        (Some(false), _) => "; the state is not exactly as it was before",
        (None, _) => "",
    };
    format!(
        "compiled, and run in {} orders: the test passes in the {passed} in which it runs, no test fails that passed before{java}{restores}",
        patch.verified.len()
    )
}

/// A text that explains a patch to the people of the project.
pub fn pull_request(document: &FixDocument, test: &FixTest, patch: &Patch) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = request(&mut text, document, test, patch);
    text
}

fn request(text: &mut String, document: &FixDocument, test: &FixTest, patch: &Patch) -> std::fmt::Result {
    let name = test.test.rsplit('.').next().unwrap_or(&test.test);
    writeln!(text, "# Make {name} independent of the order of tests\n")?;
    let others = test.others.first().map(|o| o.join("`, `")).unwrap_or_default();
    match test.verdict {
        FixVerdict::Victim => writeln!(text, "`{}` passes alone and fails after `{others}`.", test.test)?,
        FixVerdict::Brittle => writeln!(text, "`{}` fails alone and passes after `{others}`.", test.test)?,
        _ => writeln!(
            text,
            "`{}` passes, and fails when it runs a second time in the same JVM.",
            test.test
        )?,
    }
    if let Some(message) = test.message.as_deref().filter(|m| !m.is_empty()) {
        writeln!(
            text,
            "The failure: `{}`",
            message.lines().next().unwrap_or_default()
        )?;
    }
    writeln!(text, "\n## Cause\n")?;
    if test.state.is_empty() {
        writeln!(text, "The tests share state.")?;
    }
    for place in &test.state {
        cause(text, test, place)?;
    }
    writeln!(text, "\n## Change\n")?;
    writeln!(
        text,
        "{} ({}), {}:\n",
        origin(patch),
        patch.side.text(),
        patch.placement
    )?;
    writeln!(text, "```java")?;
    for line in &patch.code {
        writeln!(text, "{line}")?;
    }
    writeln!(text, "```\n\n## Before and after\n")?;
    writeln!(
        text,
        "Without the patch the test fails:\n\n```\n{}\n```\n",
        test.reproduce
    )?;
    let path = &patch.file;
    writeln!(
        text,
        "With it, after `git apply {path}` in the project and compiling its tests, the same command shows that the test passes.\n"
    )?;
    writeln!(text, "## Checked\n")?;
    writeln!(
        text,
        "With poldet {} on the class library of JDK {}, with the patched classes as `javac` compiled them:\n",
        document.head.poldet, document.head.jdk
    )?;
    for check in &patch.verified {
        let of = match check.order.len() {
            n if n > 4 => format!("{n} tests"),
            _ => check.order.join(", "),
        };
        writeln!(text, "- {} ({of}): {}", check.what, check.outcome.text())?;
    }
    if patch.restores == Some(true) && test.verdict != FixVerdict::Brittle {
        writeln!(text, "- the state named above is as it was before")?;
    }
    writeln!(
        text,
        "\nNo other test that passed without the patch in one of these orders fails with it.\n"
    )?;
    writeln!(
        text,
        "Why it matters: JUnit does not promise an order, and tools that select, repeat or distribute tests change it. \
         A test that depends on it then fails without a fault in the code."
    )
}

fn cause(text: &mut String, test: &FixTest, place: &SearchPlace) -> std::fmt::Result {
    writeln!(
        text,
        "- `{}{}` changes from `{}` to `{}`",
        place.root, place.path, place.before, place.after
    )?;
    let class = test.test.split('#').next();
    if let Some(line) = written(&place.written_at, class) {
        writeln!(text, "  - {line}")?;
    }
    if let Some(frame) = read_at(&place.read_at) {
        writeln!(text, "  - read at {}", frame_text(frame))?;
    }
    Ok(())
}
