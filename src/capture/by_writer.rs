//! Rules that look at who wrote: thread-local values that the class library keeps for itself, JUnit's own doings while a
//! test runs.

use poldet_serializer::finding::{Finding, Frame, Kind};
use poldet_serializer::rules::RuleSet;

/// The rule that hides a finding for who wrote it.
pub fn rule(finding: &Finding, rules: &RuleSet) -> Option<usize> {
    if finding.ignored_by.is_some() {
        return None;
    }
    let outside = |f: &&Frame| !is_class_library(&f.class);
    let inner = finding.written_at.first();
    let outer = finding.written_at.iter().find(outside);
    let method = |f: &Frame| format!("{}.{}", f.class, f.method);
    let by_method = |f: &Frame| rules.writer(&method(f));
    let library = finding.written_at.iter().take_while(|f| !outside(f));
    inner
        .and_then(by_method)
        .or_else(|| outer.and_then(by_method))
        .or_else(|| library.into_iter().find_map(|f| rules.through(&method(f))))
        .or_else(|| thread_local(finding, rules))
}

/// Whether this is no more than a thread-local's first look at itself: `get` has stored that there is nothing.
pub fn is_empty_look(finding: &Finding) -> bool {
    let local = finding.path.starts_with("[thread \"") || finding.root.starts_with("thread \"");
    let frames = finding.written_at.iter().take(3);
    local
        && finding.kind == Kind::Added
        && finding.after == "null"
        && frames.into_iter().any(|f| f.method == "setInitialValue")
}

fn is_class_library(class: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun.", "com.sun."]
        .iter()
        .any(|p| class.starts_with(p))
}

/// By the class whose static field holds the ThreadLocal, or by the one that set the value.
fn thread_local(finding: &Finding, rules: &RuleSet) -> Option<usize> {
    if finding.path.starts_with("[thread \"") {
        let class = finding.root.rsplit_once('.').map_or("", |(class, _)| class);
        return rules.thread_local(class);
    }
    if !finding.root.starts_with("thread \"") {
        return None;
    }
    // A value that was changed inside says nothing of who put it there.
    let own = |class: &str| {
        class.starts_with("java.lang.ThreadLocal") || class == "java.lang.InheritableThreadLocal"
    };
    let mut frames = finding.written_at.iter().map(|f| f.class.as_str());
    if !frames.clone().next().is_some_and(own) {
        return None;
    }
    frames
        .find(|class| !own(class))
        .and_then(|class| rules.thread_local(class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_serializer::finding::{Label, Origin};
    use poldet_serializer::rules::builtin;

    fn finding(root: &str, path: &str, classes: &[&str]) -> Finding {
        let frame = |class: &&str| Frame {
            class: (*class).to_owned(),
            method: "m".into(),
            file: None,
            line: None,
        };
        Finding {
            root: root.into(),
            path: path.into(),
            kind: Kind::Added,
            before: String::new(),
            after: String::new(),
            label: Label::State,
            first_touch: false,
            observable: true,
            origin: Origin::Jdk,
            ignored_by: None,
            written_at: classes.iter().map(frame).collect(),
            graph: None,
        }
    }

    #[test]
    fn only_the_class_librarys_own_are_hidden() {
        let rules = RuleSet::new(builtin()).unwrap();
        let hidden = |root: &str, path: &str, classes: &[&str]| {
            rule(&finding(root, path, classes), &rules).map(|i| rules.rule(i).id.as_str())
        };
        let (map, local) = ("java.lang.ThreadLocal$ThreadLocalMap", "java.lang.ThreadLocal");
        let thread = "thread \"main\"";
        let jdk = Some("jdk-thread-locals");
        assert_eq!(hidden("java.net.URL.gate", "[thread \"main\"]", &[]), jdk);
        assert_eq!(
            hidden(thread, ".threadLocals[x]", &[map, local, "java.net.URL"]),
            jdk
        );
        assert_eq!(
            hidden(thread, ".threadLocals[x]", &[map, local, "a.Session"]),
            None
        );
        assert_eq!(
            hidden(thread, ".threadLocals[x]", &["java.util.HashMap", "a.B"]),
            None
        );
        assert_eq!(hidden("a.Session.current", "[thread \"main\"]", &[map]), None);
        assert_eq!(hidden("java.net.URL.handlers", "[\"x\"]", &[]), None);
    }

    #[test]
    fn by_way_of_the_class_library() {
        let mut all = builtin();
        let text = "[asked]\nreason: Looked up when asked for.\nthrough: java.util.Asked.m\n";
        poldet_serializer::rules::add(&mut all, text).unwrap();
        let rules = RuleSet::new(all).unwrap();
        let hidden = |classes: &[&str]| {
            rule(&finding("java.util.X.f", "", classes), &rules).map(|i| rules.rule(i).id.as_str())
        };
        assert_eq!(
            hidden(&["java.util.HashMap", "java.util.Asked", "a.Test"]),
            Some("asked")
        );
        // What the class library has called is not its own doing.
        assert_eq!(
            hidden(&["java.util.HashMap", "a.Handler", "java.util.Asked", "a.Test"]),
            None
        );
        assert_eq!(hidden(&["java.util.HashMap", "a.Test"]), None);
    }

    #[test]
    fn what_junit_writes_is_nobodys() {
        let rules = RuleSet::new(builtin()).unwrap();
        let hidden = |classes: &[&str]| {
            rule(
                &finding("java.util.logging.LogManager.manager", ".x", classes),
                &rules,
            )
            .map(|i| rules.rule(i).id.as_str())
        };
        let engine = "org.junit.platform.commons.logging.LoggerFactory";
        assert_eq!(hidden(&["java.util.HashMap", engine, "a.Test"]), Some("junit"));
        assert_eq!(hidden(&["java.util.HashMap", "a.Test", engine]), None);
        assert_eq!(hidden(&["java.util.HashMap", "org.junit.Assert", "a.Test"]), None);
    }
}
