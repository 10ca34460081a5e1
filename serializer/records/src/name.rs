//! Names of tests: what JUnit 3, 4 and 5 call them, in one form.

use crate::UniqueId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A test, or a container of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestName {
    /// The class that was asked for when this was found, where JUnit 4 or 3 run class by class.
    pub root: Option<String>,
    /// JUnit's own identification: a unique id of the platform, or `method(class)`.
    pub id: String,
    pub class: String,
    /// None for a class as a whole.
    pub method: Option<String>,
    /// Types of the method's parameters, separated by commas.
    pub parameters: Option<String>,
    /// Which run of a parameterized, repeated or dynamic test.
    pub invocation: Option<String>,
    pub display: String,
}

/// What tells one test of a run from all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TestKey {
    pub root: Option<String>,
    pub id: String,
}

impl TestKey {
    /// A container or test of the platform.
    pub fn of_id(id: &UniqueId) -> TestKey {
        TestKey {
            root: None,
            id: id.as_str().to_owned(),
        }
    }
}

impl TestName {
    /// From JUnit 4's and 3's `method[parameters](class)`.
    pub fn from_description(root: Option<String>, text: &str) -> TestName {
        let (method, class) = split_description(text);
        let (method, invocation) = match method {
            Some(m) => {
                let (name, invocation) = split_invocation(m);
                (Some(name.to_owned()), invocation.map(str::to_owned))
            }
            None => (None, None),
        };
        TestName {
            root,
            id: text.to_owned(),
            class: class.to_owned(),
            method,
            parameters: None,
            invocation,
            display: text.to_owned(),
        }
    }

    /// A class as a whole, where JUnit runs class by class.
    pub fn of_class(class: &str) -> TestName {
        TestName {
            root: Some(class.to_owned()),
            id: class.to_owned(),
            class: class.to_owned(),
            display: class.to_owned(),
            ..TestName::default()
        }
    }

    /// From what the JUnit platform says.
    pub fn from_platform(
        id: &UniqueId,
        class: Option<String>,
        method: Option<String>,
        parameters: Option<String>,
        display: &str,
    ) -> TestName {
        let mut name = TestName {
            root: None,
            id: id.as_str().to_owned(),
            class: class.unwrap_or_default(),
            method,
            parameters: parameters.filter(|p| !p.is_empty()),
            invocation: id.invocation(),
            display: display.to_owned(),
        };
        if id.has_engine("junit-vintage") && name.method.is_some() {
            // Vintage hands JUnit 4's name on as the display name.
            let (method, invocation) = split_invocation(display);
            name.method = Some(method.to_owned());
            name.invocation = invocation.map(str::to_owned);
        }
        if name.class.is_empty() {
            name.class = id.class().unwrap_or(id.as_str()).to_owned();
        }
        if name.method.is_none() && !id.ends_at_class() {
            // Engines without methods: the display name is all there is.
            name.method = (id.class().is_some()).then(|| display.to_owned());
        }
        name
    }

    pub fn key(&self) -> TestKey {
        TestKey {
            root: self.root.clone(),
            id: self.id.clone(),
        }
    }

    /// The id as the platform's, where it ran the test.
    pub fn unique_id(&self) -> Option<UniqueId> {
        self.root.is_none().then(|| UniqueId::parse(&self.id)).flatten()
    }

    /// `class#method[invocation]`.
    pub fn text(&self) -> String {
        let mut text = self.class.clone();
        if let Some(method) = &self.method {
            text.push('#');
            text.push_str(method);
        }
        text.push_str(&self.suffix());
        text
    }

    /// `(Type, Type)[invocation]`: what follows the method's name.
    pub fn suffix(&self) -> String {
        let mut text = String::new();
        if let Some(parameters) = &self.parameters {
            let simple: Vec<&str> = parameters.split(',').map(|p| simple_type(p.trim())).collect();
            text.push_str(&format!("({})", simple.join(", ")));
        }
        if let Some(invocation) = &self.invocation {
            text.push_str(&format!("[{invocation}]"));
        }
        text
    }

    /// The class files are looked for in: the outermost one.
    pub fn top_class(&self) -> &str {
        self.class.split('$').next().unwrap_or(&self.class)
    }
}

/// The last part of a type's name.
pub fn simple_type(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
}

/// `method(class)` to its parts; anything else names a class.
fn split_description(text: &str) -> (Option<&str>, &str) {
    let inner = text.strip_suffix(')').and_then(|t| {
        let open = t.rfind('(')?;
        Some((&t[..open], &t[open + 1..]))
    });
    match inner {
        Some((method, class)) => (Some(method), class),
        None => (None, text),
    }
}

/// `method[0: x]` to `method` and `0: x`.
pub fn split_invocation(method: &str) -> (&str, Option<&str>) {
    match (method.find('['), method.strip_suffix(']')) {
        (Some(open), Some(body)) if open > 0 => (&method[..open], Some(&body[open + 1..])),
        _ => (method, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_of_junit_4() {
        let name = TestName::from_description(None, "adds[1: a[0](x)](a.b.CalcTest)");
        assert_eq!(name.text(), "a.b.CalcTest#adds[1: a[0](x)]");
        assert_eq!(name.method.as_deref(), Some("adds"));
        let class = TestName::from_description(None, "a.b.CalcTest");
        assert_eq!((class.class.as_str(), class.method), ("a.b.CalcTest", None));
    }

    #[test]
    fn names_of_the_platform() {
        let id = "[engine:junit-jupiter]/[class:a.B]/[test-template:t(int)]/[test-template-invocation:#3]";
        let id = UniqueId::parse(id).expect("an id");
        let name = TestName::from_platform(
            &id,
            Some("a.B".into()),
            Some("t".into()),
            Some("int".into()),
            "[3] 7",
        );
        assert_eq!(name.text(), "a.B#t(int)[3]");
        let id = "[engine:junit-vintage]/[runner:a.C]/[test:%5B0%5D]/[test:t%5B0%5D(a.C)]";
        let id = UniqueId::parse(id).expect("an id");
        let name = TestName::from_platform(&id, Some("a.C".into()), Some("t".into()), None, "t[0]");
        assert_eq!(name.text(), "a.C#t[0]");
    }
}
