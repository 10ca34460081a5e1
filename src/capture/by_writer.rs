//! Rules that look at who wrote: thread-local values that the class library keeps for itself, JUnit's own doings while a
//! test runs.

use poldet_records::{Finding, Frame, Kind, Origin, Root};
use poldet_serializer::rules::{Named, RuleSet};

/// The rule that hides a finding for who wrote it; `of_jdk` says of each frame whether it is one of the JDK itself.
pub fn rule(finding: &Finding, of_jdk: &[bool], rules: &RuleSet) -> Option<usize> {
    if finding.ignored_by.is_some() {
        return None;
    }
    let frames = || finding.written_at.iter().zip(of_jdk.iter().copied());
    let by_method = |(frame, jdk)| rules.writer(named(frame, jdk), &frame.method);
    let outer = frames().find(|(_, jdk)| !jdk);
    let mut library = frames().take_while(|(_, jdk)| *jdk);
    frames()
        .next()
        .and_then(by_method)
        .or_else(|| outer.and_then(by_method))
        .or_else(|| library.find_map(|(f, jdk)| rules.through(named(f, jdk), &f.method)))
        .or_else(|| called_by(finding, of_jdk, rules))
        .or_else(|| thread_local(finding, of_jdk, rules))
}

/// By a method of the library whose own static state was changed, as long as nobody else had a hand in it.
fn called_by(finding: &Finding, of_jdk: &[bool], rules: &RuleSet) -> Option<usize> {
    let root = finding.place.root.to_string();
    let library = library(&root);
    let frames = finding.written_at.iter().zip(of_jdk.iter().copied());
    frames
        .skip_while(|(_, jdk)| *jdk)
        .take_while(|(frame, jdk)| *jdk || library.is_some_and(|l| self::library(&frame.class) == Some(l)))
        .find_map(|(frame, jdk)| rules.called_by(named(frame, jdk), &frame.method))
}

/// The first two words of a name with dots.
fn library(name: &str) -> Option<&str> {
    let second = name.find('.')? + 1;
    let end = name[second..].find('.')?;
    Some(&name[..second + end])
}

fn named(frame: &Frame, jdk: bool) -> Named<'_> {
    Named {
        class: &frame.class,
        jdk,
    }
}

/// Whether this is no more than a thread-local's first look at itself: `get` has stored that there is nothing.
pub fn is_empty_look(finding: &Finding) -> bool {
    let local = finding.place.is_thread_local();
    let frames = finding.written_at.iter().take(3);
    local
        && finding.kind == Kind::Added
        && finding.after == "null"
        && frames
            .into_iter()
            .any(|f| f.class == "java.lang.ThreadLocal" && f.method == "setInitialValue")
}

/// By the class whose static field holds the ThreadLocal, or by the one that set the value.
fn thread_local(finding: &Finding, of_jdk: &[bool], rules: &RuleSet) -> Option<usize> {
    if let Root::Static { class, .. } = &finding.place.root {
        let jdk = finding.origin == Origin::Jdk;
        let local = finding.place.is_thread_local();
        return local.then(|| rules.thread_local(Named { class, jdk })).flatten();
    }
    // A value that was changed inside says nothing of who put it there.
    let own = |frame: &Frame, jdk: bool| {
        let class = &frame.class;
        jdk && (class.starts_with("java.lang.ThreadLocal") || class == "java.lang.InheritableThreadLocal")
    };
    let mut frames = finding.written_at.iter().zip(of_jdk.iter().copied());
    if !frames.clone().next().is_some_and(|(f, jdk)| own(f, jdk)) {
        return None;
    }
    frames
        .find(|(f, jdk)| !own(f, *jdk))
        .and_then(|(f, jdk)| rules.thread_local(named(f, jdk)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_records::{Label, Place};
    use poldet_serializer::rules::builtin;

    fn is_java(name: &str) -> bool {
        name.starts_with("java.")
    }

    /// Of the JDK is what says so by its name.
    fn of_jdk(classes: &[&str]) -> Vec<bool> {
        classes.iter().map(|c| is_java(c)).collect()
    }

    fn finding(root: &str, path: &str, classes: &[&str]) -> Finding {
        let frame = |class: &&str| Frame {
            class: (*class).to_owned(),
            method: "m".into(),
            file: None,
            line: None,
            origin: None,
        };
        Finding {
            place: Place::parse(root, path),
            kind: Kind::Added,
            before: String::new(),
            after: String::new(),
            label: Label::State,
            first_touch: false,
            observable: true,
            origin: if is_java(root) { Origin::Jdk } else { Origin::Suite },
            ignored_by: None,
            written_at: classes.iter().map(frame).collect(),
            graph: None,
        }
    }

    #[test]
    fn a_librarys_own_state_is_hidden_for_whom_it_worked() {
        let text = "[of-runner]\nreason: r\ncalled-by: org.mock.Runner.*";
        let mut list = Vec::new();
        poldet_serializer::rules::add(&mut list, text).unwrap();
        let rules = RuleSet::new(list).unwrap();
        let hidden = |root: &str, classes: &[&str]| {
            rule(&finding(root, "", classes), &of_jdk(classes), &rules).is_some()
        };
        let runner = [
            "java.util.HashMap",
            "org.mock.Progress",
            "org.mock.Runner",
            "org.junit.Runner",
        ];
        assert!(hidden("org.mock.Progress.listeners", &runner));
        assert!(!hidden("app.Held.mocks", &runner));
        let test = [
            "java.util.HashMap",
            "org.mock.Progress",
            "app.FirstTest",
            "org.mock.Runner",
        ];
        assert!(!hidden("org.mock.Progress.listeners", &test));
    }

    #[test]
    fn only_the_class_librarys_own_are_hidden() {
        let rules = RuleSet::new(builtin()).unwrap();
        let hidden = |root: &str, path: &str, classes: &[&str]| {
            rule(&finding(root, path, classes), &of_jdk(classes), &rules).map(|i| rules.rule(i).id.as_str())
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
        // Not the JDK's, though called so.
        assert_eq!(
            hidden("com.sun.acme.Session.current", "[thread \"main\"]", &[map]),
            None
        );
        assert_eq!(
            hidden(thread, ".threadLocals[x]", &[map, local, "jdk.acme.Session"]),
            None
        );
    }

    #[test]
    fn by_way_of_the_class_library() {
        let mut all = builtin();
        let text = "[asked]\nreason: Looked up when asked for.\nthrough: java.util.Asked.m\n";
        poldet_serializer::rules::add(&mut all, text).unwrap();
        let rules = RuleSet::new(all).unwrap();
        let hidden = |classes: &[&str]| {
            let found = finding("java.util.X.f", "", classes);
            rule(&found, &of_jdk(classes), &rules).map(|i| rules.rule(i).id.as_str())
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
            let found = finding("java.util.logging.LogManager.manager", ".x", classes);
            rule(&found, &of_jdk(classes), &rules).map(|i| rules.rule(i).id.as_str())
        };
        let engine = "org.junit.platform.commons.logging.LoggerFactory";
        assert_eq!(hidden(&["java.util.HashMap", engine, "a.Test"]), Some("junit"));
        assert_eq!(hidden(&["java.util.HashMap", "a.Test", engine]), None);
        assert_eq!(hidden(&["java.util.HashMap", "org.junit.Assert", "a.Test"]), None);
    }
}
