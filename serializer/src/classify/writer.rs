//! Rules that ask who wrote: thread-local values that the class library keeps for itself, JUnit's own doings while a
//! test runs.

use crate::finding::{Frame, Origin};
use crate::rules::{Named, RuleNo, RuleSet};

/// Whether a place is a thread-local value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Local<'a> {
    None,
    /// Of a ThreadLocal in a static field of this class.
    Of(Named<'a>),
    /// Of one that no static field leads to.
    Unnamed,
}

/// The rule that hides a change of a root's state for who wrote it.
pub(super) fn rule(
    root: Option<Named<'_>>,
    local: Local<'_>,
    frames: &[Frame],
    rules: &RuleSet,
) -> Option<RuleNo> {
    let mut library = frames.iter().take_while(|f| is_jdk(f));
    by_method(frames, rules)
        .or_else(|| library.find_map(|f| rules.through(named(f), &f.method)))
        .or_else(|| called_by(root, frames, rules))
        .or_else(|| thread_local(local, frames, rules))
}

/// By the innermost method, or by the innermost one outside of the class library. Of files nothing else says who changed them.
pub(crate) fn by_method(frames: &[Frame], rules: &RuleSet) -> Option<RuleNo> {
    let by_method = |frame: &Frame| rules.writer(named(frame), &frame.method);
    let outer = frames.iter().find(|f| !is_jdk(f));
    frames
        .first()
        .and_then(by_method)
        .or_else(|| outer.and_then(by_method))
}

fn is_jdk(frame: &Frame) -> bool {
    frame.origin == Some(Origin::Jdk)
}

/// By a method of the library whose own static state was changed, as long as nobody else had a hand in it.
fn called_by(root: Option<Named<'_>>, frames: &[Frame], rules: &RuleSet) -> Option<RuleNo> {
    let library = root.and_then(|root| library(root.class));
    let own = |frame: &&Frame| is_jdk(frame) || library.is_some() && self::library(&frame.class) == library;
    let frames = frames.iter().skip_while(|f| is_jdk(f)).take_while(own);
    frames
        .into_iter()
        .find_map(|f| rules.called_by(named(f), &f.method))
}

/// The first two words of the name of a class in a package.
fn library(class: &str) -> Option<(&str, &str)> {
    let mut words = class.splitn(3, '.');
    let two = (words.next()?, words.next()?);
    words.next().map(|_| two)
}

fn named(frame: &Frame) -> Named<'_> {
    Named {
        class: &frame.class,
        jdk: is_jdk(frame),
    }
}

/// Whether a thread-local value is only what the first `get` of its ThreadLocal stored.
pub(super) fn is_first_look(frames: &[Frame]) -> bool {
    let mut inner = frames.iter().take(3);
    inner.any(|f| f.class == "java.lang.ThreadLocal" && f.method == "setInitialValue")
}

/// By the class whose static field holds the ThreadLocal, or by the one that set the value.
fn thread_local(local: Local<'_>, frames: &[Frame], rules: &RuleSet) -> Option<RuleNo> {
    // A value that was changed inside says nothing of who put it there.
    let own = |frame: &Frame| {
        let class = &frame.class;
        is_jdk(frame)
            && (class.starts_with("java.lang.ThreadLocal") || class == "java.lang.InheritableThreadLocal")
    };
    match local {
        Local::None => None,
        Local::Of(class) => rules.thread_local(class),
        Local::Unnamed if !frames.first().is_some_and(own) => None,
        Local::Unnamed => frames
            .iter()
            .find(|f| !own(f))
            .and_then(|f| rules.thread_local(named(f))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Book;

    /// Of the JDK is what says so by its name.
    fn class(name: &str) -> Named<'_> {
        Named {
            class: name,
            jdk: name.starts_with("java."),
        }
    }

    fn frames(classes: &[&str]) -> Vec<Frame> {
        let frame = |name: &&str| Frame {
            class: (*name).to_owned(),
            method: "m".into(),
            file: None,
            line: None,
            origin: Some(if class(name).jdk {
                Origin::Jdk
            } else {
                Origin::Suite
            }),
        };
        classes.iter().map(frame).collect()
    }

    fn rules(text: &str) -> RuleSet {
        let mut book = Book::builtin().unwrap();
        book.add(text).unwrap();
        RuleSet::new(book.ignore).unwrap()
    }

    fn of_root<'r>(rules: &'r RuleSet, root: &str, classes: &[&str]) -> Option<&'r str> {
        let found = rule(Some(class(root)), Local::None, &frames(classes), rules);
        found.map(|rule| rules.rule(rule).id.as_str())
    }

    fn of_local<'r>(rules: &'r RuleSet, local: Local<'_>, classes: &[&str]) -> Option<&'r str> {
        let root = match local {
            Local::Of(class) => Some(class),
            _ => None,
        };
        let found = rule(root, local, &frames(classes), rules);
        found.map(|rule| rules.rule(rule).id.as_str())
    }

    #[test]
    fn files_are_hidden_for_who_made_them() {
        let rules = rules("");
        let of_file = |classes: &[&str]| {
            let rule = by_method(&frames(classes), &rules);
            rule.map(|rule| rules.rule(rule).id.as_str())
        };
        let maker = "org.mockito.internal.creation.bytebuddy.InlineDelegateByteBuddyMockMaker";
        assert_eq!(of_file(&["java.io.File", maker, "a.ATest"]), Some("mocking"));
        assert_eq!(of_file(&["java.io.File", "a.ATest", maker]), None);
        assert_eq!(of_file(&["java.io.File", "a.ATest"]), None);
    }

    #[test]
    fn a_librarys_own_state_is_hidden_for_whom_it_worked() {
        let rules = rules("[of-runner]\nreason: r\ncalled-by: org.mock.Runner.*");
        let runner = [
            "java.util.HashMap",
            "org.mock.Progress",
            "org.mock.Runner",
            "org.other.Runner",
        ];
        assert_eq!(of_root(&rules, "org.mock.Progress", &runner), Some("of-runner"));
        assert_eq!(of_root(&rules, "app.sub.Held", &runner), None);
        let test = [
            "java.util.HashMap",
            "org.mock.Progress",
            "app.FirstTest",
            "org.mock.Runner",
        ];
        assert_eq!(of_root(&rules, "org.mock.Progress", &test), None);
    }

    #[test]
    fn only_the_class_librarys_own_are_hidden() {
        let rules = rules("");
        let (map, local) = ("java.lang.ThreadLocal$ThreadLocalMap", "java.lang.ThreadLocal");
        let jdk = Some("jdk-thread-locals");
        assert_eq!(of_local(&rules, Local::Of(class("java.net.URL")), &[]), jdk);
        let unnamed = |classes: &[&str]| of_local(&rules, Local::Unnamed, classes);
        assert_eq!(unnamed(&[map, local, "java.net.URL"]), jdk);
        assert_eq!(unnamed(&[map, local, "a.Session"]), None);
        assert_eq!(unnamed(&["java.util.HashMap", "a.B"]), None);
        assert_eq!(of_local(&rules, Local::Of(class("a.Session")), &[map]), None);
        assert_eq!(of_root(&rules, "java.net.URL", &[]), None);
        // Not the JDK's, though called so.
        let called_so = Local::Of(class("com.sun.acme.Session"));
        assert_eq!(of_local(&rules, called_so, &[map]), None);
        assert_eq!(unnamed(&[map, local, "jdk.acme.Session"]), None);
    }

    #[test]
    fn through_the_class_library() {
        let rules = rules("[asked]\nreason: Looked up when asked for.\nthrough: java.util.Asked.m\n");
        let hidden = |classes: &[&str]| of_root(&rules, "java.util.X", classes);
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
        let rules = rules("");
        let hidden = |classes: &[&str]| of_root(&rules, "java.util.logging.LogManager", classes);
        let engine = "org.junit.platform.commons.logging.LoggerFactory";
        assert_eq!(hidden(&["java.util.HashMap", engine, "a.Test"]), Some("junit"));
        assert_eq!(hidden(&["java.util.HashMap", "a.Test", engine]), None);
        assert_eq!(hidden(&["java.util.HashMap", "org.junit.Assert", "a.Test"]), None);
    }
}
