//! The decision list that says what sort of state a finding is about.

use crate::finding::Label;
use crate::rules::{Named, matches};

/// Tests of a change that are code, not names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Is {
    /// Nothing became something, by the hand of the class that declares it.
    Lazy,
    /// A whole number that is no element of anything became larger.
    Counting,
    /// Something was added.
    Growing,
}

/// One line of a label's block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    Label(Label),
    Root(String),
    Word(String),
    FieldWord(String),
    Is(Is),
    OnlyJdk,
}

impl Sign {
    pub(crate) fn parse(text: &str) -> Result<Sign, String> {
        let bad = || {
            format!(
                "'{text}' is none of label: NAME, root: GLOB, word: TEXT, field-word: TEXT, is: lazy | counting | growing, only: jdk"
            )
        };
        let (key, value) = text.split_once(':').ok_or_else(bad)?;
        let value = value.trim();
        if value.is_empty() || value.contains(char::is_whitespace) {
            return Err(bad());
        }
        match (key.trim(), value) {
            ("label", name) => label(name).map(Sign::Label),
            ("root", glob) => Ok(Sign::Root(glob.to_owned())),
            ("word", word) => Ok(Sign::Word(word.to_lowercase())),
            ("field-word", word) => Ok(Sign::FieldWord(word.to_lowercase())),
            ("is", "lazy") => Ok(Sign::Is(Is::Lazy)),
            ("is", "counting") => Ok(Sign::Is(Is::Counting)),
            ("is", "growing") => Ok(Sign::Is(Is::Growing)),
            ("only", "jdk") => Ok(Sign::OnlyJdk),
            _ => Err(bad()),
        }
    }
}

fn label(name: &str) -> Result<Label, String> {
    Ok(match name {
        "state" => Label::State,
        "collection-grew" => Label::CollectionGrew,
        "configuration" => Label::Configuration,
        "counter" => Label::Counter,
        "random" => Label::Random,
        "lazy-initialisation" => Label::LazyInitialisation,
        "cache-or-pool" => Label::CacheOrPool,
        _ => return Err(format!("no label '{name}'")),
    })
}

/// The names by which a place is known.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The root's class and static field, unless it is a thread.
    pub root: Option<(Named<'a>, &'a str)>,
    /// Fields on the path from the root.
    pub fields: &'a [&'a str],
}

impl Names<'_> {
    fn has_field(&self, word: &str) -> bool {
        let root = self.root.map(|(_, field)| field);
        let mut all = root.into_iter().chain(self.fields.iter().copied());
        all.any(|name| name.to_lowercase().contains(word))
    }

    /// Whether the root's class or a field on the path has a word in its name.
    pub fn has(&self, word: &str) -> bool {
        // Names of packages say nothing.
        let simple = self.root.map(|(named, _)| named.class.rsplit('.').next());
        let simple = simple.flatten().unwrap_or_default();
        simple.to_lowercase().contains(word) || self.has_field(word)
    }

    fn is_root(&self, glob: &str) -> bool {
        let full = self.root.map(|(class, field)| format!("{}.{field}", class.class));
        full.is_some_and(|root| matches(glob, &root))
    }
}

/// A label and the signs of which any is enough.
#[derive(Clone, Debug)]
pub struct LabelRow {
    pub label: Label,
    only_jdk: bool,
    signs: Vec<Sign>,
}

impl LabelRow {
    pub(super) fn new(signs: Vec<Sign>) -> Result<LabelRow, String> {
        let labels: Vec<Label> = signs
            .iter()
            .filter_map(|s| match s {
                Sign::Label(label) => Some(*label),
                _ => None,
            })
            .collect();
        let [label] = labels[..] else {
            return Err("needs one label".into());
        };
        Ok(LabelRow {
            label,
            only_jdk: signs.contains(&Sign::OnlyJdk),
            signs,
        })
    }

    pub fn fits(&self, names: Names<'_>, is: impl Fn(Is) -> bool) -> bool {
        let jdk = names.root.is_some_and(|(class, _)| class.jdk);
        (jdk || !self.only_jdk)
            && self.signs.iter().any(|sign| match sign {
                Sign::Root(glob) => names.is_root(glob),
                Sign::Word(word) => names.has(word),
                Sign::FieldWord(word) => names.has_field(word),
                Sign::Is(test) => is(*test),
                Sign::Label(_) | Sign::OnlyJdk => false,
            })
    }
}
