//! Choosing tests by name: `pkg.Class`, `pkg.Class#method`, `pkg.Class.method`, each with `(Types)` and `[index]`, or a
//! unique id of the JUnit platform.

use poldet_records::{TestName, UniqueId, simple_type};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Selector {
    Id {
        id: UniqueId,
    },
    Name {
        class: String,
        method: Option<String>,
        /// Simple or full names of parameter types.
        parameters: Option<Vec<String>>,
        invocation: Option<String>,
    },
}

impl Selector {
    /// Reads a selector; `is_class` knows the suite's classes, which tells `pkg.Class.method` from `pkg.Class`.
    pub fn parse(text: &str, is_class: impl Fn(&str) -> bool) -> Result<Selector, String> {
        let text = text.trim();
        if let Some(id) = UniqueId::parse(text) {
            return Ok(Selector::Id { id });
        }
        if text.is_empty() {
            return Err("an empty test name".into());
        }
        // The class is what comes before the hash, or the longest known class before a dot.
        let (class, rest) = match text.split_once('#') {
            Some((class, rest)) => (class, Some(rest)),
            None => split_dotted(text, is_class),
        };
        let Some(rest) = rest.filter(|r| !r.is_empty()) else {
            return Ok(Selector::of_class(class));
        };
        let (rest, invocation) = match (rest.find('['), rest.strip_suffix(']')) {
            (Some(open), Some(body)) => (&rest[..open], Some(body[open + 1..].to_owned())),
            _ => (rest, None),
        };
        let (method, parameters) = match rest.strip_suffix(')').and_then(|r| r.split_once('(')) {
            Some((method, types)) => {
                let types = types.split(',').map(|t| t.trim().to_owned());
                (method, Some(types.filter(|t| !t.is_empty()).collect()))
            }
            None => (rest, None),
        };
        if method.is_empty() {
            return Err(format!("no method in {text}"));
        }
        Ok(Selector::Name {
            class: class.to_owned(),
            method: Some(method.to_owned()),
            parameters,
            invocation,
        })
    }

    pub fn of_class(class: &str) -> Selector {
        Selector::Name {
            class: class.to_owned(),
            method: None,
            parameters: None,
            invocation: None,
        }
    }

    /// The class to look in.
    pub fn class(&self) -> Option<&str> {
        match self {
            Selector::Id { id } => id.class(),
            Selector::Name { class, .. } => Some(class),
        }
    }

    /// Names runs of a test that JUnit only knows of when it runs them?
    pub fn has_invocation(&self) -> bool {
        matches!(
            self,
            Selector::Name {
                invocation: Some(_),
                ..
            }
        )
    }

    pub fn matches(&self, test: &TestName) -> bool {
        match self {
            Selector::Id { id } => id.overlaps(&test.id),
            Selector::Name { invocation, .. } => {
                self.matches_method(test)
                    && invocation.as_deref().is_none_or(|want| {
                        test.invocation
                            .as_deref()
                            .is_some_and(|got| same_invocation(want, got))
                    })
            }
        }
    }

    /// As `matches`, whatever the invocation.
    pub fn matches_method(&self, test: &TestName) -> bool {
        match self {
            Selector::Id { .. } => self.matches(test),
            Selector::Name {
                class,
                method,
                parameters,
                ..
            } => {
                let in_class = test.class == *class
                    || (method.is_none()
                        && (test.root.as_deref() == Some(class.as_str())
                            || test
                                .class
                                .strip_prefix(class.as_str())
                                .is_some_and(|r| r.starts_with('$'))));
                in_class
                    && method
                        .as_ref()
                        .is_none_or(|m| test.method.as_deref() == Some(m.as_str()))
                    && parameters
                        .as_ref()
                        .is_none_or(|p| same_types(p, test.parameters.as_deref()))
            }
        }
    }
}

fn split_dotted(text: &str, is_class: impl Fn(&str) -> bool) -> (&str, Option<&str>) {
    let head_end = text.find(['(', '[']).unwrap_or(text.len());
    if head_end == text.len() && is_class(text) {
        return (text, None);
    }
    match text[..head_end].rfind('.') {
        Some(dot) if is_class(&text[..dot]) => (&text[..dot], Some(&text[dot + 1..])),
        _ => (text, None),
    }
}

/// `1` names the run `1` and, of named runs, `1: x`.
fn same_invocation(want: &str, got: &str) -> bool {
    let number = |t: &str| t.trim_start_matches('#').to_owned();
    number(want) == number(got)
        || got
            .split([':', ' ', ','])
            .next()
            .is_some_and(|head| head == number(want))
}

fn same_types(want: &[String], got: Option<&str>) -> bool {
    let got: Vec<&str> = got
        .unwrap_or("")
        .split(',')
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .collect();
    want.len() == got.len()
        && want
            .iter()
            .zip(got)
            .all(|(w, g)| w == g || simple_type(w) == simple_type(g) && !w.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Selector {
        Selector::parse(text, |c| c == "a.B" || c == "a.B$C").unwrap()
    }

    #[test]
    fn forms() {
        let method = |m: &str, i: Option<&str>| Selector::Name {
            class: "a.B".into(),
            method: Some(m.into()),
            parameters: None,
            invocation: i.map(str::to_owned),
        };
        assert_eq!(parse("a.B"), Selector::of_class("a.B"));
        assert_eq!(parse("a.B#m"), method("m", None));
        assert_eq!(parse("a.B.m"), method("m", None));
        assert_eq!(parse("a.B.m[2]"), method("m", Some("2")));
        assert_eq!(parse("a.B#m[2: x.y]"), method("m", Some("2: x.y")));
        let typed = parse("a.B#m(int, String)[1]");
        let test = TestName {
            class: "a.B".into(),
            method: Some("m".into()),
            parameters: Some("int, java.lang.String".into()),
            invocation: Some("1".into()),
            ..TestName::default()
        };
        assert!(typed.matches(&test));
        assert!(!parse("a.B#m(long)[1]").matches(&test));
        assert!(parse("a.B").matches(&test));
    }

    #[test]
    fn ids_select_what_is_inside() {
        let id = parse("[engine:junit-jupiter]/[class:a.B]");
        let test = TestName {
            id: "[engine:junit-jupiter]/[class:a.B]/[method:m()]".into(),
            ..TestName::default()
        };
        assert!(id.matches(&test));
        assert_eq!(id.class(), Some("a.B"));
    }
}
