//! Where in the shared state something is: a root, and the steps from there.
//!
//! In JSON a place is two texts, `root` and `path`. Reading them back gives a place that is written the same; only a
//! key whose own text looks like the end of a step may come back as several steps.

use serde::de::Deserializer;
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Names of fields live as long as the VM; those read from a document are its own.
pub type Name = Cow<'static, str>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub root: Root,
    /// Empty for the root itself.
    pub steps: Vec<PathStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// A static field.
    Static { class: String, field: Name },
    /// The thread-local values of a thread to which no static field leads.
    Thread { name: String },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    Field(Name),
    Index(usize),
    /// The key of a map, described in one line.
    Key(String),
    /// From a ThreadLocal to its value in this thread.
    Thread(String),
    /// Many equal steps, one after the other, with their number: the path to the end of a long list takes no room.
    Repeated(Box<PathStep>, usize),
}

/// So many equal steps one after the other are written as one, with their number.
const MANY_STEPS: usize = 8;

impl Place {
    pub fn of_root(root: Root) -> Place {
        Place {
            root,
            steps: Vec::new(),
        }
    }

    /// A root and steps, of which many equal ones are one.
    pub fn new(root: Root, steps: impl IntoIterator<Item = PathStep>) -> Place {
        let mut place = Place::of_root(root);
        let mut last: Option<(PathStep, usize)> = None;
        for step in steps {
            match &mut last {
                Some((same, count)) if *same == step => *count += 1,
                _ => place.push(last.replace((step, 1))),
            }
        }
        place.push(last);
        place
    }

    fn push(&mut self, run: Option<(PathStep, usize)>) {
        match run {
            Some((step, count)) if count >= MANY_STEPS => {
                self.steps.push(PathStep::Repeated(Box::new(step), count));
            }
            Some((step, count)) => self.steps.extend(std::iter::repeat_n(step, count)),
            None => {}
        }
    }

    /// `.field`, `[3]`, `["key"]`, one after the other; `.next{5000}` is 5000 such steps.
    pub fn path(&self) -> String {
        self.steps.iter().map(PathStep::to_string).collect()
    }

    /// From the texts of a document.
    pub fn parse(root: &str, path: &str) -> Place {
        let mut place = Place::of_root(Root::parse(root));
        place.steps = parse_path(path);
        place
    }

    /// Is it a thread-local value?
    pub fn is_thread_local(&self) -> bool {
        matches!(self.root, Root::Thread { .. }) || matches!(self.steps.first(), Some(PathStep::Thread(_)))
    }
}

/// Root and path.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.root, self.path())
    }
}

/// `pkg.Class.field`, or `thread "name"`.
impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Root::Static { class, field } => write!(f, "{class}.{field}"),
            Root::Thread { name } => write!(f, "thread \"{name}\""),
        }
    }
}

impl Root {
    fn parse(text: &str) -> Root {
        if let Some(name) = thread_name(text) {
            return Root::Thread { name };
        }
        let (class, field) = text.rsplit_once('.').unwrap_or(("", text));
        Root::Static {
            class: class.to_owned(),
            field: Cow::Owned(field.to_owned()),
        }
    }

    /// The class whose static field it is.
    pub fn class(&self) -> Option<&str> {
        match self {
            Root::Static { class, .. } => Some(class),
            Root::Thread { .. } => None,
        }
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathStep::Field(name) => write!(f, ".{name}"),
            PathStep::Index(i) => write!(f, "[{i}]"),
            PathStep::Key(key) => write!(f, "[{key}]"),
            PathStep::Thread(name) => write!(f, "[thread \"{name}\"]"),
            PathStep::Repeated(step, count) => write!(f, "{step}{{{count}}}"),
        }
    }
}

fn thread_name(text: &str) -> Option<String> {
    let name = text.strip_prefix("thread \"")?.strip_suffix('"')?;
    Some(name.to_owned())
}

fn parse_path(mut path: &str) -> Vec<PathStep> {
    let mut steps = Vec::new();
    while !path.is_empty() {
        let (step, rest) = match path.strip_prefix('[') {
            Some(inside) => bracket(inside),
            None => field(path.strip_prefix('.').unwrap_or(path)),
        };
        let (times, rest) = repeated(rest);
        steps.push(match times {
            1 => step,
            _ => PathStep::Repeated(Box::new(step), times),
        });
        path = rest;
    }
    steps
}

/// The JVM allows neither dots nor brackets in the name of a field.
fn field(text: &str) -> (PathStep, &str) {
    let mut later = text.char_indices().skip(1);
    let ends = |(at, c): &(usize, char)| match c {
        '{' => repeated(&text[*at..]).0 > 1,
        c => matches!(c, '.' | '['),
    };
    let end = later.find(ends);
    let end = end.map_or(text.len(), |(at, _)| at);
    (PathStep::Field(Cow::Owned(text[..end].to_owned())), &text[end..])
}

/// An index or a key, which ends at a bracket that is followed by another step or nothing.
fn bracket(text: &str) -> (PathStep, &str) {
    let ends = |at: &usize| {
        let rest = &text[at + 1..];
        let quoted = !text.starts_with('"') || (*at > 1 && text[..*at].ends_with('"'));
        quoted && (rest.is_empty() || rest.starts_with(['.', '[', '{']))
    };
    let mut closing = text.match_indices(']').map(|(at, _)| at);
    let end = closing.find(ends).unwrap_or(text.len());
    let inside = &text[..end];
    let rest = text.get(end + 1..).unwrap_or("");
    let number = inside.parse().ok().filter(|n: &usize| n.to_string() == inside);
    let step = match (number, thread_name(inside)) {
        (Some(i), _) => PathStep::Index(i),
        (None, Some(name)) => PathStep::Thread(name),
        (None, None) => PathStep::Key(inside.to_owned()),
    };
    (step, rest)
}

/// `{5000}` after a step.
fn repeated(text: &str) -> (usize, &str) {
    let number = text.strip_prefix('{').and_then(|t| t.split_once('}'));
    match number.and_then(|(n, rest)| Some((n.parse::<usize>().ok()?, rest))) {
        Some((n, rest)) if n >= MANY_STEPS => (n, rest),
        _ => (1, text),
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Place", 2)?;
        fields.serialize_field("root", &self.root.to_string())?;
        fields.serialize_field("path", &self.path())?;
        fields.end()
    }
}

/// Two texts.
impl schemars::JsonSchema for Place {
    fn schema_name() -> Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "properties": {
                "root": { "type": "string", "description": "pkg.Class.field, or thread \"NAME\"" },
                "path": { "type": "string", "description": "The steps from there; empty for the root itself" },
            },
            "required": ["root", "path"],
        })
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Place, D::Error> {
        #[derive(Deserialize)]
        struct Texts {
            root: String,
            path: String,
        }
        let texts = Texts::deserialize(deserializer)?;
        Ok(Place::parse(&texts.root, &texts.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str) -> PathStep {
        PathStep::Field(Cow::Borrowed(name))
    }

    #[test]
    fn places_are_read_as_they_are_written() {
        let mut long = vec![field("head")];
        long.extend(std::iter::repeat_n(field("next"), 5000));
        for steps in [
            vec![],
            vec![field("map"), PathStep::Key("\"a.b\"".into()), field("x")],
            vec![PathStep::Index(3), PathStep::Index(3), field("größe")],
            vec![PathStep::Thread("main".into()), field("depth")],
            vec![PathStep::Key("\"a]b\"".into()), PathStep::Key("Key(3)".into())],
            long,
        ] {
            let root = Root::Static {
                class: "a.B$C".into(),
                field: Cow::Borrowed("f"),
            };
            let place = Place::new(root, steps);
            assert_eq!(Place::parse(&place.root.to_string(), &place.path()), place);
        }
        let thread = Root::Thread {
            name: "a \"b\"".into(),
        };
        assert_eq!(Root::parse(&thread.to_string()), thread);
    }

    #[test]
    fn texts_stay_the_same() {
        for path in [
            "",
            ".x{3}",
            ".next{5000}.v",
            "[\"a\"][\"].b\"]",
            "[[1, 2]].x",
            "[007]",
            ".ß",
        ] {
            assert_eq!(Place::parse("a.B.f", path).path(), path);
        }
    }
}
