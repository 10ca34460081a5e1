//! Whose thread-local values are: rules may hide those that the class library keeps for itself.

use poldet_serializer::finding::Finding;
use poldet_serializer::rules::RuleSet;

/// The rule that hides a thread-local value: by the class whose static field holds the ThreadLocal, or by the one that
/// set the value.
pub fn rule(finding: &Finding, rules: &RuleSet) -> Option<usize> {
    if finding.ignored_by.is_some() {
        return None;
    }
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
    use poldet_serializer::finding::{Frame, Kind, Label, Origin};
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
}
