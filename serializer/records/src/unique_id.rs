//! Unique ids of the JUnit platform: `[engine:junit-jupiter]/[class:a.B]/[method:t()]`.
//!
//! All that is read out of such an id, or made into one, is here.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UniqueId(String);

/// Invocations that may follow the one that ended a worker: JUnit reports them only when it runs them, so their ids
/// are made up. Those that do not exist are not found, and nothing comes of them.
const MORE_INVOCATIONS: u64 = 1000;

/// What Spock calls one run of a feature.
const ITERATION: &str = "iteration";

impl UniqueId {
    /// As the platform gives it.
    pub fn new(id: String) -> UniqueId {
        UniqueId(id)
    }

    /// Something that begins as an id of the platform does.
    pub fn parse(text: &str) -> Option<UniqueId> {
        text.starts_with("[engine:").then(|| UniqueId(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Kind and value of each `[kind:value]`.
    fn segments(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.split('/').filter_map(segment)
    }

    /// Is the test found by this engine, be it inside a suite?
    pub fn has_engine(&self, engine: &str) -> bool {
        self.segments().any(|s| s == ("engine", engine))
    }

    /// The first class in it.
    pub fn class(&self) -> Option<&str> {
        self.segments()
            .find(|(kind, _)| is_class(kind))
            .map(|(_, value)| value)
    }

    /// Is it an engine's or a class's?
    pub fn ends_at_class(&self) -> bool {
        self.segments()
            .last()
            .is_none_or(|(kind, _)| kind == "engine" || is_class(kind))
    }

    /// An engine itself, which is nobody's class.
    pub fn is_engine(&self) -> bool {
        self.depth() == 1
    }

    /// A class right below its engine.
    pub fn is_top_level(&self) -> bool {
        self.depth() == 2
    }

    fn depth(&self) -> usize {
        1 + self.0.matches("/[").count()
    }

    /// The numbers of the invocations: `2`, or `1.3` when nested.
    pub fn invocation(&self) -> Option<String> {
        let numbers: Vec<String> = self
            .segments()
            .filter(|(kind, _)| *kind != "engine")
            .filter_map(|(kind, value)| number(kind, value))
            .collect();
        (!numbers.is_empty()).then(|| numbers.join("."))
    }

    /// Is `id` this one, or that of something inside?
    pub fn contains(&self, id: &str) -> bool {
        id.strip_prefix(self.0.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Is this id `id`'s, or does one lie inside the other?
    pub fn overlaps(&self, id: &str) -> bool {
        self.contains(id) || UniqueId(id.to_owned()).contains(&self.0)
    }

    /// The id of one run of this test template or factory.
    pub fn with_invocation(&self, number: &str) -> UniqueId {
        let number = number.trim_start_matches('#');
        let feature = self.segments().last().is_some_and(|(k, _)| k == "feature");
        if let Some(iteration) = number.parse::<u64>().ok().filter(|_| feature) {
            let iteration = iteration.saturating_sub(1);
            return UniqueId(format!("{}/[{ITERATION}:{iteration}]", self.0));
        }
        let factory = self.segments().last().is_some_and(|(k, _)| k == "test-factory");
        let mut id = self.0.clone();
        if !factory {
            id.push_str(&format!("/[test-template-invocation:#{number}]"));
            return UniqueId(id);
        }
        let parts: Vec<&str> = number.split('.').collect();
        for (i, part) in parts.iter().enumerate() {
            let kind = if i + 1 == parts.len() {
                "dynamic-test"
            } else {
                "dynamic-container"
            };
            id.push_str(&format!("/[{kind}:#{part}]"));
        }
        UniqueId(id)
    }

    /// For one run of a template or factory: its container, and the ids of the runs that may follow.
    pub fn later_invocations(&self) -> Option<(UniqueId, Vec<UniqueId>)> {
        let (container, last) = self.0.rsplit_once('/')?;
        let (kind, number) = segment(last)?;
        let mark = if kind == ITERATION { "" } else { "#" };
        let number: u64 = number.strip_prefix(mark)?.parse().ok()?;
        let later = number + 1..=number + MORE_INVOCATIONS;
        let rest = later.map(|n| UniqueId(format!("{container}/[{kind}:{mark}{n}]")));
        Some((UniqueId(container.to_owned()), rest.collect()))
    }
}

/// The number of an invocation, from 1 on: `#2`, or an iteration of Spock, which counts from 0.
fn number(kind: &str, value: &str) -> Option<String> {
    if kind == ITERATION {
        return value.parse::<u64>().ok().map(|n| (n + 1).to_string());
    }
    value.strip_prefix('#').map(String::from)
}

fn segment(part: &str) -> Option<(&str, &str)> {
    part.strip_prefix('[')?.strip_suffix(']')?.split_once(':')
}

fn is_class(kind: &str) -> bool {
    matches!(
        kind,
        "class" | "nested-class" | "runner" | "suite" | "class-template" | "spec"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> UniqueId {
        UniqueId::parse(text).expect("an id")
    }

    #[test]
    fn parts_of_an_id() {
        let nested = id(
            "[engine:junit-jupiter]/[class:a.B]/[test-factory:f()]/[dynamic-container:#1]/[dynamic-test:#3]",
        );
        assert_eq!(nested.invocation().as_deref(), Some("1.3"));
        assert_eq!(nested.class(), Some("a.B"));
        assert!(!nested.ends_at_class() && !nested.is_engine() && !nested.is_top_level());
        assert!(id("[engine:e]").is_engine() && id("[engine:e]").ends_at_class());
        assert!(id("[engine:e]/[class:C]").is_top_level());
        let suite = id("[engine:junit-platform-suite]/[suite:S]/[engine:junit-vintage]/[runner:C]");
        assert!(suite.has_engine("junit-vintage") && !suite.has_engine("junit-jupiter"));
        assert_eq!(UniqueId::parse("t(a.B)"), None);
    }

    #[test]
    fn what_lies_inside() {
        let class = id("[engine:e]/[class:C]");
        assert!(
            class.contains("[engine:e]/[class:C]") && class.contains("[engine:e]/[class:C]/[method:t()]")
        );
        assert!(!class.contains("[engine:e]/[class:CD]") && !class.contains("[engine:e]"));
        assert!(class.overlaps("[engine:e]"));
    }

    #[test]
    fn invocations() {
        let template = id("[engine:e]/[test-template:t()]");
        let fourth = template.with_invocation("#4");
        assert_eq!(
            fourth.as_str(),
            "[engine:e]/[test-template:t()]/[test-template-invocation:#4]"
        );
        let (container, rest) = fourth.later_invocations().expect("an invocation");
        assert_eq!(
            (container, &rest[0]),
            (template.clone(), &template.with_invocation("5"))
        );
        assert_eq!(id("[engine:e]/[class:C]/[method:t()]").later_invocations(), None);
        let feature = id("[engine:spock]/[spec:a.S]/[feature:f]");
        let third = feature.with_invocation("3");
        assert_eq!(
            third.as_str(),
            "[engine:spock]/[spec:a.S]/[feature:f]/[iteration:2]"
        );
        assert_eq!(
            (third.invocation().as_deref(), third.class()),
            (Some("3"), Some("a.S"))
        );
        let (container, rest) = third.later_invocations().expect("an iteration");
        assert_eq!(
            (container, &rest[0]),
            (feature.clone(), &feature.with_invocation("4"))
        );
        assert_eq!(
            id("[engine:e]/[test-factory:f()]")
                .with_invocation("1.2")
                .as_str(),
            "[engine:e]/[test-factory:f()]/[dynamic-container:#1]/[dynamic-test:#2]"
        );
    }
}
