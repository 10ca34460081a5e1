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
//! `root` is a glob over static fields (`pkg.Class.field`), `field` one over instance fields anywhere on the way from a
//! root (by the class that declares them), `class` one over the classes of objects on that way and of static fields,
//! `name` one over the simple names of classes and the names of fields, whatever their case, `thread-local` one over the
//! classes whose code put a value into a thread, `writer` one over the methods (`pkg.Class.method`) that wrote a change: the
//! innermost one, and the innermost one outside of the class library. `through` is a glob over the methods of the class
//! library by which a change was made: those from the write outwards to the first method of anybody else. `called-by` is a
//! glob over the methods of a library that changed its own static state: those from the write outwards to the first method
//! that is neither its own nor the class library's (what counts are the first two words of the package). In a glob `*`
//! stands for any characters, dots included, `?` for one. A later rule takes the place of an earlier one with the same id.
//!
//! `only: jdk` keeps a rule to classes of the JDK itself: one on the class path is meant by none of its patterns, whatever
//! its name.

pub use poldet_records::Rule;

const BUILTIN: &str = include_str!("rules/builtin.txt");

/// A rule, if its pattern is one.
pub fn rule(id: &str, pattern: &str, reason: &str) -> Result<Rule, String> {
    terms(pattern)?;
    Ok(Rule {
        id: id.to_owned(),
        pattern: pattern.to_owned(),
        reason: reason.to_owned(),
    })
}

/// The rules that hold unless the user says otherwise.
pub fn builtin() -> Vec<Rule> {
    let mut rules = Vec::new();
    // A test reads the embedded text, so it has no errors; were there one, fewer rules would hold.
    let _ = add(&mut rules, BUILTIN);
    rules
}

/// Takes over the rules of a text; an error names the line.
pub fn add(rules: &mut Vec<Rule>, text: &str) -> Result<(), String> {
    let mut block: Option<(usize, Rule)> = None;
    for (number, line) in text.lines().enumerate() {
        let fail = |what: String| format!("line {}: {what}", number + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(id) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            finish(rules, block.take())?;
            let id = id.trim();
            if id.is_empty() || id.contains(|c: char| c.is_whitespace() || c == ',') {
                return Err(fail(format!("'{id}' cannot be the id of a rule")));
            }
            let rule = Rule {
                id: id.to_owned(),
                pattern: String::new(),
                reason: String::new(),
            };
            block = Some((number, rule));
            continue;
        }
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| fail(format!("neither [id] nor key: value: {line}")))?;
        let (key, value) = (key.trim(), value.trim());
        match (key, &mut block) {
            ("disable", _) => {
                finish(rules, block.take())?;
                disable(rules, value).map_err(fail)?;
            }
            (_, None) => return Err(fail("no [id] before this".into())),
            ("reason", Some((_, rule))) => join(&mut rule.reason, " ", value),
            (_, Some((_, rule))) => {
                let term = format!("{key}: {value}");
                Term::parse(&term).map_err(fail)?;
                join(&mut rule.pattern, "; ", &term);
            }
        }
    }
    finish(rules, block)
}

fn join(text: &mut String, between: &str, more: &str) {
    if !text.is_empty() {
        text.push_str(between);
    }
    text.push_str(more);
}

fn finish(rules: &mut Vec<Rule>, block: Option<(usize, Rule)>) -> Result<(), String> {
    let Some((number, rule)) = block else {
        return Ok(());
    };
    let fail = |what: &str| Err(format!("line {}: rule {} has no {what}", number + 1, rule.id));
    if rule.pattern.is_empty() {
        return fail("pattern");
    }
    if rule.reason.is_empty() {
        return fail("reason");
    }
    match rules.iter_mut().find(|r| r.id == rule.id) {
        Some(old) => *old = rule,
        None => rules.push(rule),
    }
    Ok(())
}

/// Drops a rule; the error names those there are.
pub fn disable(rules: &mut Vec<Rule>, id: &str) -> Result<(), String> {
    let before = rules.len();
    rules.retain(|r| r.id != id);
    if rules.len() == before {
        let ids: Vec<&str> = rules.iter().map(|r| r.id.as_str()).collect();
        return Err(format!("no ignore rule '{id}'; there are {}", ids.join(", ")));
    }
    Ok(())
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
    /// The rule's other terms are about classes of the JDK.
    OnlyJdk,
}

impl Term {
    fn parse(text: &str) -> Result<Term, String> {
        let bad = || {
            format!(
                "'{text}' is none of root: GLOB, class: GLOB, field: GLOB, name: GLOB, thread-local: GLOB, writer: GLOB, through: GLOB, called-by: GLOB, only: jdk"
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
#[derive(Clone, Copy, Debug)]
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

    pub fn rule(&self, index: usize) -> &Rule {
        &self.rules[index]
    }

    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule that hides a static field and all that only it leads to.
    pub fn root(&self, declaring: Named<'_>, field: &str) -> Option<usize> {
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
    pub fn thread_local(&self, writer: Named<'_>) -> Option<usize> {
        let class = writer.class;
        let hides = |term: &Term| matches!(term, Term::ThreadLocal(g) if matches(g, class));
        self.first(writer, hides)
    }

    /// The rule that hides what a method wrote.
    pub fn writer(&self, declaring: Named<'_>, method: &str) -> Option<usize> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::Writer(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides what was written while this method of the class library was at work.
    pub fn through(&self, declaring: Named<'_>, method: &str) -> Option<usize> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::Through(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides what a library wrote to its own state while this method of its was at work.
    pub fn called_by(&self, declaring: Named<'_>, method: &str) -> Option<usize> {
        let full = format!("{}.{method}", declaring.class);
        let hides = |term: &Term| matches!(term, Term::CalledBy(g) if matches(g, &full));
        self.first(declaring, hides)
    }

    /// The rule that hides an instance field and what it leads to.
    pub fn field(&self, declaring: Named<'_>, field: &str) -> Option<usize> {
        let full = format!("{}.{field}", declaring.class);
        let lower = field.to_lowercase();
        self.first(declaring, |term| match term {
            Term::Field(g) => matches(g, &full),
            Term::Name(g) => matches(g, &lower),
            _ => false,
        })
    }

    /// The rule that hides objects of a class with all that is in them.
    pub fn class(&self, class: Named<'_>) -> Option<usize> {
        let simple = lower_simple(class.class);
        self.first(class, |term| match term {
            Term::Class(g) => matches(g, class.class),
            Term::Name(g) => matches(g, &simple),
            _ => false,
        })
    }

    fn first(&self, about: Named<'_>, hides: impl Fn(&Term) -> bool) -> Option<usize> {
        let holds = |(i, term): &&(usize, Term)| (about.jdk || !self.only_jdk[*i]) && hides(term);
        self.terms.iter().find(holds).map(|(i, _)| *i)
    }
}

/// The name without its package: a package called `cache` says nothing of the classes in it.
fn lower_simple(class: &str) -> String {
    class.rsplit('.').next().unwrap_or(class).to_lowercase()
}

/// `*` is any text, `?` any character.
fn matches(glob: &str, text: &str) -> bool {
    let (glob, text) = (glob.as_bytes(), text.as_bytes());
    let (mut g, mut t) = (0, 0);
    // Where to go on when what follows the last star does not fit.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some(b'*') => {
                star = Some((g + 1, t));
                g += 1;
            }
            Some(b'?') => {
                g += 1;
                t += 1;
                // The rest of a character of several bytes.
                while text.get(t).is_some_and(|b| b & 0xc0 == 0x80) {
                    t += 1;
                }
            }
            Some(c) if *c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((after, from)) => {
                    *from += 1;
                    (g, t) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == b'*')
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
        let set = RuleSet::new(builtin()).unwrap();
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
    fn globs() {
        for (glob, text, fits) in [
            ("org.junit.*", "org.junit.runner.X.f", true),
            ("org.junit.*", "org.junitx.X.f", false),
            ("*cache*", "mycachefield", true),
            ("a.?.c", "a.b.c", true),
            ("a.?.c", "a.bb.c", false),
            ("*a*b", "xaxxbab", true),
            ("*a*b", "xaxxbac", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(glob, text), fits, "{glob} {text}");
        }
    }

    #[test]
    fn the_built_in_rules_are_well_formed() {
        let mut rules = Vec::new();
        add(&mut rules, BUILTIN).unwrap();
        let set = RuleSet::new(rules.clone()).unwrap();
        let id = |i: Option<usize>| i.map(|i| set.rule(i).id.as_str());
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
        // Room and numbers of the machinery are hidden, what it was told to do is not.
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
        for rule in &rules {
            assert!(rule.reason.ends_with('.'), "{}: {}", rule.id, rule.reason);
        }
        // Of two blocks with one id the first would be lost.
        let blocks = BUILTIN.lines().filter(|l| l.starts_with('[')).count();
        assert_eq!(blocks, rules.len());
    }

    #[test]
    fn users_add_replace_and_disable() {
        let mut rules = builtin();
        let text = "[mine]\nreason: known\nroot: a.B.c\nfield: a.B.d\n\n[junit]\nreason: other\nclass: x.Y\ndisable: cache\n";
        add(&mut rules, text).unwrap();
        let set = RuleSet::new(rules).unwrap();
        assert_eq!(set.root(named("a.B"), "cache"), None);
        assert_eq!(set.root(named("org.junit.Foo"), "x"), None);
        let mine = set.root(named("a.B"), "c").unwrap();
        assert_eq!(set.rule(mine).pattern, "root: a.B.c; field: a.B.d");
        assert_eq!(set.field(named("a.B"), "d"), Some(mine));
        assert_eq!(set.field(named("a.B"), "c"), None);
        assert_eq!(set.root(named("x.Y"), "any"), set.class(named("x.Y")));
    }

    #[test]
    fn mistakes_are_named_by_line() {
        for (text, says) in [
            ("root: a", "line 1: no [id]"),
            ("[a]\nreason: x\n", "line 1: rule a has no pattern"),
            ("[a]\nroot: x\n", "line 1: rule a has no reason"),
            ("[a]\nrot: x\n", "line 2: 'rot: x' is none of"),
            ("[a]\nhello\n", "line 2: neither"),
            ("\n[]\n", "line 2: ''"),
            ("[a]\nonly: all\n", "line 2: 'only: all' is none of"),
            ("disable: nothing", "line 1: no ignore rule 'nothing'"),
        ] {
            let error = add(&mut Vec::new(), text).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }
}
