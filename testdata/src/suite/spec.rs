//! `suite.txt`: what a suite needs and the runs it is put to.
//!
//! ```text
//! # a comment
//! deps: junit:junit:4.13.2 …      Maven coordinates; none means the built-in org.junit
//! jvm: -Xmx64m -Da=b\ c           options of the VM, for poldet by --jvm
//! hotspot: no; why                the expectations cannot be shown on HotSpot
//! run: --test a.B#c               a run with these arguments; without any line, one run without arguments;
//!                                 {suite} stands for the suite's folder
//! only: a.B#c a.B#d               the tests that this run comes to, all others must be absent
//! exit: 4                         its exit code, 0 when not given
//! jdk: 17                         the release of the JDK its expectations hold for, any when not given
//! ```

/// What `suite.txt` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub deps: Vec<String>,
    pub jvm: Vec<String>,
    pub hotspot: bool,
    pub runs: Vec<Run>,
}

/// One run of poldet on the suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    pub args: Vec<String>,
    /// The ids of the tests that run; nothing when it is all of them.
    pub only: Option<Vec<String>>,
    pub exit: i32,
    /// The release its expectations hold for; nothing when it is all of them.
    pub jdk: Option<u32>,
}

impl Default for Spec {
    fn default() -> Self {
        Spec {
            deps: Vec::new(),
            jvm: Vec::new(),
            hotspot: true,
            runs: vec![Run::default()],
        }
    }
}

/// Reads the text of a `suite.txt`.
pub fn parse(text: &str) -> Result<Spec, String> {
    let mut spec = Spec {
        runs: Vec::new(),
        ..Spec::default()
    };
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or(format!("no colon in {line:?}"))?;
        let value = value.trim();
        match key {
            "deps" => spec.deps = words(value),
            "jvm" => spec.jvm = words(value),
            "hotspot" => spec.hotspot = !value.starts_with("no"),
            "run" => spec.runs.push(Run {
                args: words(value),
                ..Run::default()
            }),
            "only" => last(&mut spec)?.only = Some(words(value)),
            "jdk" => {
                last(&mut spec)?.jdk = Some(value.parse().map_err(|_| format!("bad release {value:?}"))?)
            }
            "exit" => {
                last(&mut spec)?.exit = value.parse().map_err(|_| format!("bad exit code {value:?}"))?
            }
            _ => return Err(format!("unknown word {key:?}")),
        }
    }
    if spec.runs.is_empty() {
        spec.runs.push(Run::default());
    }
    Ok(spec)
}

fn last(spec: &mut Spec) -> Result<&mut Run, String> {
    spec.runs.last_mut().ok_or("no run: line before this".into())
}

/// The words of `value`; a backslash keeps a space within a word.
fn words(value: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.push(String::new()),
            '\\' => words.extend_last(chars.next()),
            other => words.extend_last(Some(other)),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

trait ExtendLast {
    fn extend_last(&mut self, c: Option<char>);
}

impl ExtendLast for Vec<String> {
    fn extend_last(&mut self, c: Option<char>) {
        if let (Some(word), Some(c)) = (self.last_mut(), c) {
            word.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_take_the_lines_that_follow_them() {
        let spec =
            parse("# x\ndeps: a:b:1\njvm: -Da=b\\ c\nrun:\nrun: --test A#b\nonly: A#b\nexit: 2\n").unwrap();
        assert_eq!(spec.deps, ["a:b:1"]);
        assert_eq!(spec.jvm, ["-Da=b c"]);
        assert_eq!(spec.runs.len(), 2);
        assert_eq!(spec.runs[0], Run::default());
        assert_eq!(spec.runs[1].only, Some(vec!["A#b".to_owned()]));
        assert_eq!(spec.runs[1].exit, 2);
        assert!(parse("exit: 2").is_err());
        assert_eq!(parse("").unwrap(), Spec::default());
    }
}
