//! Stack traces for people: trimmed to the test.

use super::machinery::JUNIT;

/// Frames nobody looks for when a test fails, beside JUnit's.
const NOISE: [&str; 8] = [
    "org.hamcrest.",
    "java.base/jdk.internal.reflect.",
    "java.base/java.lang.reflect.",
    "java.base/java.util.stream.",
    "java.base/java.util.concurrent.",
    "java.base/java.util.ArrayList.forEach",
    "java.base/java.util.Optional.",
    "java.base/java.util.Iterator.",
];

/// The lines down to the test's own class, without the test framework's.
pub fn trim(stack: &[String], class: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut block: Vec<&String> = Vec::new();
    for line in stack {
        if frame(line).is_some() || line.trim_start().starts_with("... ") {
            block.push(line);
        } else {
            flush(&mut block, class, &mut out);
            out.push(line.clone());
        }
    }
    flush(&mut block, class, &mut out);
    out
}

fn frame(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("at ")
}

/// Frames of one exception: up to the last of the test's class, or those that are not noise.
fn flush(block: &mut Vec<&String>, class: &str, out: &mut Vec<String>) {
    let top = class.split('$').next().unwrap_or(class);
    let own = |line: &str| {
        frame(line).is_some_and(|f| f.strip_prefix(top).is_some_and(|r| r.starts_with(['.', '$'])))
    };
    let last = block
        .iter()
        .rposition(|l| own(l))
        .unwrap_or(block.len().saturating_sub(1));
    for line in block.iter().take(last + 1) {
        let noise = frame(line).is_none_or(|f| NOISE.iter().chain(&JUNIT).any(|n| f.starts_with(n)));
        if !noise {
            out.push((*line).clone());
        }
    }
    block.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_test() {
        let stack: Vec<String> = [
            "java.lang.AssertionError: no",
            "\tat org.junit.Assert.fail(Assert.java:89)",
            "\tat a.Helper.check(Helper.java:3)",
            "\tat a.FooTest.t(FooTest.java:7)",
            "\tat java.base/jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)",
            "\tat a.Runner.go(Runner.java:1)",
            "Caused by: x",
            "\tat a.Deep.er(Deep.java:1)",
            "\t... 12 more",
        ]
        .map(str::to_owned)
        .to_vec();
        let trimmed = trim(&stack, "a.FooTest$Inner");
        assert_eq!(
            trimmed,
            [
                "java.lang.AssertionError: no",
                "\tat a.Helper.check(Helper.java:3)",
                "\tat a.FooTest.t(FooTest.java:7)",
                "Caused by: x",
                "\tat a.Deep.er(Deep.java:1)",
            ]
        );
    }
}
