//! Ignore rules: data that says which changes of the shared state are nobody's pollution, and why.
//!
//! A file of rules is a list of blocks:
//!
//! ```text
//! # a remark
//! [rule-id]
//! reason: why such changes do not matter
//! root: com.acme.Registry.*
//! class: com.acme.internal.*
//! field: com.acme.Session.lastUsed
//! name: *pool*
//!
//! disable: cache
//! ```
//!
//! `root` is a glob over static fields (`pkg.Class.field`), `field` one over instance fields anywhere on a reference path from a
//! root (by the class that declares them), `class` one over the classes of objects on that path and of static fields,
//! `name` one over the simple names of classes and the names of fields, whatever their case, `thread-local` one over the
//! classes whose code put a value into a thread, `writer` one over the methods (`pkg.Class.method`) that wrote a change: the
//! innermost one, and the innermost one outside of the class library; it hides what they did to files, too. `through` is a glob over the methods of the class
//! library by which a change was made: those from the write outwards to the first method of anybody else. `called-by` is a
//! glob over the methods of a library that changed its own static state: those from the write outwards to the first method
//! that is neither its own nor the class library's (what counts are the first two words of the package). `thread` is a glob
//! over the classes of threads that are left running, and over the classes that start them. In a glob `*`
//! stands for any characters, dots included, `?` for one. A later rule takes the place of an earlier one with the same id.
//!
//! `only: jdk` keeps a rule to classes of the JDK itself: one on the class path is meant by none of its patterns, whatever
//! its name.

mod glob;
mod text;

pub(crate) use glob::matches;
pub use text::Book;

pub use poldet_records::Rule;

const BUILTIN: &str = include_str!("builtin.txt");

/// An ignore rule, by its place in the rule set.
pub type RuleNo = u16;

/// A rule, if its pattern is one.
pub fn rule(id: &str, pattern: &str, reason: &str) -> Result<Rule, String> {
    terms(pattern)?;
    Ok(Rule {
        id: id.to_owned(),
        pattern: pattern.to_owned(),
        reason: reason.to_owned(),
    })
}

/// Part of a rule's pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    Root(String),
    Class(String),
    Field(String),
    /// In lower case.
    Name(String),
    ThreadLocal(String),
    Writer(String),
    Through(String),
    CalledBy(String),
    Thread(String),
    /// The rule's other terms are about classes of the JDK.
    OnlyJdk,
}

impl Term {
    fn parse(text: &str) -> Result<Term, String> {
        let bad = || {
            format!(
                "'{text}' is none of root: GLOB, class: GLOB, field: GLOB, name: GLOB, thread-local: GLOB, writer: GLOB, through: GLOB, called-by: GLOB, thread: GLOB, only: jdk"
            )
        };
        let (kind, glob) = text.split_once(':').ok_or_else(bad)?;
        let glob = glob.trim();
        if glob.is_empty() || glob.contains(char::is_whitespace) {
            return Err(bad());
        }
        match kind.trim() {
            "root" => Ok(Term::Root(glob.to_owned())),
            "class" => Ok(Term::Class(glob.to_owned())),
            "field" => Ok(Term::Field(glob.to_owned())),
            "name" => Ok(Term::Name(glob.to_lowercase())),
            "thread-local" => Ok(Term::ThreadLocal(glob.to_owned())),
            "writer" => Ok(Term::Writer(glob.to_owned())),
            "through" => Ok(Term::Through(glob.to_owned())),
            "called-by" => Ok(Term::CalledBy(glob.to_owned())),
            "thread" => Ok(Term::Thread(glob.to_owned())),
            "only" if glob == "jdk" => Ok(Term::OnlyJdk),
            _ => Err(bad()),
        }
    }
}

fn terms(pattern: &str) -> Result<Vec<Term>, String> {
    let parts = pattern.split(';').map(str::trim).filter(|t| !t.is_empty());
    let terms: Vec<Term> = parts.map(Term::parse).collect::<Result<_, _>>()?;
    if terms.iter().all(|t| *t == Term::OnlyJdk) {
        return Err("an empty pattern".into());
    }
    Ok(terms)
}

/// Rules ready to be asked. The questions are about names, so an answer can be kept for each class and field.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    terms: Vec<(usize, Term)>,
    /// Rules for classes of the JDK only, by their place.
    only_jdk: Vec<bool>,
}

/// A class by its name as in Java, with dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named<'a> {
    pub class: &'a str,
    /// It is one of the JDK itself.
    pub jdk: bool,
}

impl RuleSet {
    pub fn new(rules: Vec<Rule>) -> Result<RuleSet, String> {
        let mut all = Vec::new();
        let mut only_jdk = Vec::new();
        for (i, rule) in rules.iter().enumerate() {
            let terms = terms(&rule.pattern).map_err(|e| format!("rule {}: {e}", rule.id))?;
            only_jdk.push(terms.contains(&Term::OnlyJdk));
            all.extend(terms.into_iter().map(|t| (i, t)));
        }
        Ok(RuleSet {
            rules,
            terms: all,
            only_jdk,
        })
    }

    pub fn rule(&self, number: RuleNo) -> &Rule {
        &self.rules[usize::from(number)]
    }

    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule that hides a static field and all that only it leads to.
    pub fn root(&self, declaring: Named<'_>, field: &str) -> Option<RuleNo> {
        let class = declaring.class;
        let full = format!("{class}.{field}");
        let (simple, lower) = (lower_simple(class), field.to_lowercase());
        self.first(declaring, |term| match term {
            Term::Root(g) => matches(g, &full),
            Term::Class(g) => matches(g, class),
            Term::Name(g) => matches(g, &simple) || matches(g, &lower),
            _ => false,
        })
    }

    /// The rule that hides a thread-local value which code of this class has put there.
    pub fn thread_local(&self, writer: Named<'_>) -> Option<RuleNo> {
        let class = writer.class;
        let hides = |term: &Term| matches!(term, Term::ThreadLocal(g) if matches(g, class));
        self.first(writer, hides)
    }

    /// The rule that hides what a method wrote.
    pub fn writer(&self, declaring: Named<'_>, method: &str) -> Option<RuleNo> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::Writer(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides what was written while this method of the class library was at work.
    pub fn through(&self, declaring: Named<'_>, method: &str) -> Option<RuleNo> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::Through(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides what a library wrote to its own state while this method of its was at work.
    pub fn called_by(&self, declaring: Named<'_>, method: &str) -> Option<RuleNo> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::CalledBy(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides threads of a class, or those that a class starts.
    pub fn thread(&self, class: Named<'_>) -> Option<RuleNo> {
        self.first(
            class,
            |term| matches!(term, Term::Thread(g) if matches(g, class.class)),
        )
    }

    /// The rule that hides an instance field and what it leads to.
    pub fn field(&self, declaring: Named<'_>, field: &str) -> Option<RuleNo> {
        let full = format!("{}.{field}", declaring.class);
        let lower = field.to_lowercase();
        self.first(declaring, |term| match term {
            Term::Field(g) => matches(g, &full),
            Term::Name(g) => matches(g, &lower),
            _ => false,
        })
    }

    /// The rule that hides objects of a class with all that is in them.
    pub fn class(&self, class: Named<'_>) -> Option<RuleNo> {
        let simple = lower_simple(class.class);
        self.first(class, |term| match term {
            Term::Class(g) => matches(g, class.class),
            Term::Name(g) => matches(g, &simple),
            _ => false,
        })
    }

    fn first(&self, about: Named<'_>, hides: impl Fn(&Term) -> bool) -> Option<RuleNo> {
        let holds = |(i, term): &&(usize, Term)| (about.jdk || !self.only_jdk[*i]) && hides(term);
        self.terms.iter().find(holds).map(|(i, _)| *i as RuleNo)
    }
}

/// The name without its package: a package called `cache` says nothing of the classes in it.
fn lower_simple(class: &str) -> String {
    class.rsplit('.').next().unwrap_or(class).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class that is what its name says.
    fn named(class: &str) -> Named<'_> {
        let java = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
        let jdk = java.iter().any(|p| class.starts_with(p));
        Named { class, jdk }
    }

    #[test]
    fn rules_for_the_jdk_mean_no_class_that_only_is_called_so() {
        let set = RuleSet::new(Book::builtin().unwrap().ignore).unwrap();
        let of = |class: &'static str, jdk: bool| Named { class, jdk };
        for class in ["jdk.internal.foo.Shared", "sun.misc.Shared"] {
            assert!(set.root(of(class, true), "x").is_some());
            assert_eq!(set.root(of(class, false), "x"), None);
        }
        assert!(set.thread_local(of("com.sun.foo.Session", true)).is_some());
        assert_eq!(set.thread_local(of("com.sun.foo.Session", false)), None);
        assert!(set.root(of("com.sun.foo.Session", false), "cache").is_some());
    }

    #[test]
    fn the_built_in_rules_are_well_formed() {
        let set = RuleSet::new(Book::builtin().unwrap().ignore).unwrap();
        let id = |i: Option<RuleNo>| i.map(|i| set.rule(i).id.as_str());
        assert_eq!(id(set.root(named("org.junit.runner.Foo"), "x")), Some("junit"));
        assert_eq!(id(set.root(named("junit.framework.Foo"), "x")), Some("junit"));
        assert_eq!(id(set.root(named("a.B"), "priceCACHE")), Some("cache"));
        assert_eq!(id(set.root(named("a.MyCache"), "x")), Some("cache"));
        assert_eq!(
            id(set.root(named("java.util.Locale"), "LOCALECACHE")),
            Some("cache")
        );
        assert_eq!(id(set.class(named("a.b.LruCache$Node"))), Some("cache"));
        assert_eq!(id(set.field(named("a.B"), "cached")), Some("cache"));
        assert_eq!(id(set.root(named("com.google.common.cache.Foo"), "x")), None);
        assert_eq!(
            id(set.thread_local(named("java.net.URL"))),
            Some("jdk-thread-locals")
        );
        assert_eq!(id(set.thread_local(named("org.junit.Foo"))), Some("junit"));
        assert_eq!(id(set.thread_local(named("com.acme.Session"))), None);
        assert_eq!(
            id(set.writer(named("org.junit.platform.launcher.Foo"), "bar")),
            Some("junit")
        );
        // Assertions run the test's own code.
        assert_eq!(id(set.writer(named("org.junit.Assert"), "assertEquals")), None);
        assert_eq!(id(set.writer(named("java.lang.Thread"), "exit")), Some("threads"));
        // Room and numbers of the machinery are hidden, its configuration is not.
        assert_eq!(
            id(set.root(
                named("org.mockito.internal.progress.SequenceNumber"),
                "sequenceNumber"
            )),
            Some("mocking")
        );
        let progress = "org.mockito.internal.progress.MockingProgressImpl";
        assert_eq!(id(set.field(named(progress), "ongoingStubbing")), Some("mocking"));
        // As Mockito 1 calls it, which brings its own cglib.
        assert_eq!(
            id(set.field(named(progress), "iOngoingStubbing")),
            Some("mocking")
        );
        assert_eq!(
            id(set.root(named("org.mockito.cglib.core.ClassEmitter"), "hookCounter")),
            Some("mocking")
        );
        assert_eq!(
            id(set.root(named("net.sf.cglib.core.ClassEmitter"), "hookCounter")),
            None
        );
        assert_eq!(id(set.field(named(progress), "stubbingInProgress")), None);
        assert_eq!(id(set.field(named(progress), "argumentMatcherStorage")), None);
        assert_eq!(id(set.field(named(progress), "listeners")), None);
        let runner = "org.mockito.internal.runners.DefaultInternalRunner$1$1";
        assert_eq!(id(set.called_by(named(runner), "evaluate")), Some("mocking"));
        let last = "org.easymock.internal.LastControl";
        assert_eq!(
            id(set.writer(named(last), "pushCurrentInvocation")),
            Some("mocking")
        );
        assert_eq!(id(set.writer(named(last), "reportMatcher")), None);
        assert_eq!(
            id(set.class(named("org.mockito.internal.stubbing.InvocationContainerImpl"))),
            None
        );
        assert_eq!(
            id(set.field(named("java.text.DecimalFormat"), "digitList")),
            Some("scratch")
        );
        assert_eq!(
            id(set.field(named("java.text.DecimalFormat"), "groupingSize")),
            None
        );
        assert_eq!(
            id(set.root(named("java.io.ObjectStreamClass$Caches"), "x")),
            Some("cache")
        );
        assert_eq!(
            id(set.root(named("java.io.ObjectStreamClass"), "x")),
            Some("serialization")
        );
        assert_eq!(
            id(set.through(named("jdk.internal.loader.BootLoader"), "findResource")),
            Some("class-loading")
        );
        let context = "javax.net.ssl.SSLContext";
        assert_eq!(
            id(set.through(named(context), "getDefault")),
            Some("security-providers")
        );
        assert_eq!(id(set.through(named(context), "setDefault")), None);
        // What the paper reports must not be hidden.
        for (class, field) in [
            ("java.util.Collections", "r"),
            ("java.util.Locale", "defaultLocale"),
            ("java.util.TimeZone", "defaultTimeZone"),
            ("java.lang.System", "props"),
            ("java.net.URL", "handlers"),
            ("java.util.logging.LogManager", "manager"),
            ("java.util.logging.Logger", "global"),
            ("javax.net.ssl.SSLContext", "defaultContext"),
            ("javax.management.MBeanServerFactory", "mBeanServerList"),
            ("java.lang.ApplicationShutdownHooks", "hooks"),
            ("java.io.DeleteOnExitHook", "files"),
            ("sun.security.jca.Providers", "providerList"),
            (
                "org.apache.logging.log4j.core.config.ConfigurationFactory",
                "configurationFactory",
            ),
            ("org.hamcrest.X", "y"),
        ] {
            assert_eq!(id(set.root(named(class), field)), None, "{class}.{field}");
        }
    }

    #[test]
    fn users_add_replace_and_disable() {
        let mut book = Book::builtin().unwrap();
        let text = "[mine]\nreason: known\nroot: a.B.c\nfield: a.B.d\n\n[junit]\nreason: other\nclass: x.Y\ndisable: cache\n";
        book.add(text).unwrap();
        let set = RuleSet::new(book.ignore).unwrap();
        assert_eq!(set.root(named("a.B"), "cache"), None);
        assert_eq!(set.root(named("org.junit.Foo"), "x"), None);
        let mine = set.root(named("a.B"), "c").unwrap();
        assert_eq!(set.rule(mine).pattern, "root: a.B.c; field: a.B.d");
        assert_eq!(set.field(named("a.B"), "d"), Some(mine));
        assert_eq!(set.field(named("a.B"), "c"), None);
        assert_eq!(set.root(named("x.Y"), "any"), set.class(named("x.Y")));
    }
}
