//! How a VM is to be: from the options of the command line to the VM's own configuration.

use crate::cli::VmArgs;
use poldet_vm::agents;
use poldet_vm::boot::check_limits;
use poldet_vm::jdk::Jdk;
use poldet_vm::vm::{Compile, Config};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Names of the options about modules, and of the properties that `java` makes of them.
const MODULES: [(&str, &str); 5] = [
    ("add-opens", "addopens"),
    ("add-exports", "addexports"),
    ("add-modules", "addmods"),
    ("add-reads", "addreads"),
    ("enable-native-access", "enable.native.access"),
];

/// All that is known of a VM before its program, as the supervisor sends it to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VmOptions {
    pub java_home: PathBuf,
    pub jdk_release: u32,
    pub preview: bool,
    /// `-javaagent` in order, each as `JAR` or `JAR=OPTIONS`.
    #[serde(default)]
    pub agents: Vec<String>,
    pub properties: Vec<(String, String)>,
    /// Values of the options about modules, by the name of the option.
    pub modules: Vec<(String, String)>,
    pub assertions: bool,
    pub max_heap: u64,
    pub stack: u64,
    #[serde(with = "CompileName")]
    pub compile: Compile,
    pub fast_indy: bool,
    pub seed: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Compile")]
enum CompileName {
    Never,
    Hot,
    Eager,
}

impl VmOptions {
    /// The options, and those of `--jvm` that mean nothing here. Where no option says, assertions are on or off and the heap's
    /// size is the same on all but small machines, or follows from the machine's.
    pub fn new(
        args: &VmArgs,
        jdk: &Jdk,
        assertions: bool,
        fixed: bool,
    ) -> Result<(VmOptions, Vec<String>), String> {
        let max_heap = args
            .max_heap
            .as_deref()
            .map_or_else(|| Ok(default_heap(fixed)), size)?;
        let modules = args.module_args().into_iter();
        let modules = modules.flat_map(|(name, values)| values.iter().map(|v| (name.to_owned(), v.clone())));
        let mut options = VmOptions {
            java_home: jdk.home.clone(),
            jdk_release: jdk.feature,
            preview: args.enable_preview,
            agents: Vec::new(),
            properties: args.properties.iter().map(|p| property(p)).collect(),
            modules: modules.collect(),
            assertions: assertions || args.assertions,
            max_heap,
            stack: stack_size(&args.stack)?,
            compile: args.compile.parse().unwrap_or_default(),
            fast_indy: !args.slow_indy,
            seed: args.seed,
        };
        let mut ignored = Vec::new();
        let words: Vec<&str> = args.jvm.iter().flat_map(|o| split(o)).collect();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if !options.java_option(word, &mut words)? {
                ignored.push(word.to_owned());
            }
        }
        check_limits(options.max_heap, options.stack)?;
        Ok((options, ignored))
    }

    /// Takes one option of `java`; `more` has what follows it. False for one that means nothing here.
    fn java_option<'a>(
        &mut self,
        word: &str,
        more: &mut impl Iterator<Item = &'a str>,
    ) -> Result<bool, String> {
        for (option, _) in MODULES {
            let value = match word.strip_prefix("--").and_then(|w| w.strip_prefix(option)) {
                Some("") => more.next(),
                Some(rest) => rest.strip_prefix(['=', ' ']),
                None => None,
            };
            if let Some(value) = value {
                self.modules.push((option.to_owned(), value.trim().to_owned()));
                return Ok(true);
            }
        }
        if let Some(text) = word.strip_prefix("-D") {
            self.properties.push(property(text));
        } else if let Some(text) = word.strip_prefix("-Xmx") {
            self.max_heap = size(text)?;
        } else if let Some(text) = word.strip_prefix("-Xss") {
            self.stack = stack_size(text)?;
        } else if let Ok(compile) = word.parse() {
            self.compile = compile;
        } else if word == "-ea" || word == "-enableassertions" || word.starts_with("-ea:") {
            self.assertions = true;
        } else if word == "-da" || word == "-disableassertions" {
            self.assertions = false;
        } else if let Some(text) = word.strip_prefix("-javaagent:") {
            self.agents.push(agent(text)?);
        } else if word == "--enable-preview" {
            self.preview = true;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// The VM's configuration for a program: its class path, and how it was called.
    pub fn config(self, class_path: Vec<String>, command: String) -> Config {
        let module_options = self.module_properties();
        Config {
            java_home: self.java_home,
            jdk_release: self.jdk_release,
            preview: self.preview,
            agents: self.agents,
            class_path,
            properties: self.properties,
            max_heap: self.max_heap,
            stack_size: self.stack,
            seed: self.seed,
            assertions: self.assertions,
            command,
            fast_indy: self.fast_indy,
            compile: self.compile,
            natives: poldet_natives::TABLES,
            module_options,
        }
    }

    /// The properties that `java` makes of its options about modules: numbered, each kind by itself.
    fn module_properties(&self) -> Vec<(String, String)> {
        let mut counts = [0; MODULES.len()];
        let mut properties = Vec::new();
        for (option, value) in &self.modules {
            let Some(kind) = MODULES.iter().position(|(name, _)| name == option) else {
                continue;
            };
            let key = format!("jdk.module.{}.{}", MODULES[kind].1, counts[kind]);
            counts[kind] += 1;
            properties.push((key, value.clone()));
        }
        properties
    }
}

/// A line on a `JAVA_HOME` that is no JDK poldet can use, where another was taken for that reason.
pub fn unused_java_home(given: Option<&Path>, used: &Jdk) -> Option<String> {
    let home = std::env::var_os("JAVA_HOME").filter(|v| !v.is_empty());
    let home = home.filter(|_| given.is_none())?;
    let why = Jdk::at(Path::new(&home)).err()?;
    Some(format!(
        "JAVA_HOME is not used: {why}; the JDK is {} in '{}'",
        used.version,
        used.home.display()
    ))
}

/// The archive and the options of an agent.
fn split_agent(text: &str) -> (&str, Option<&str>) {
    match text.split_once('=') {
        Some((jar, options)) => (jar, Some(options)),
        None => (text, None),
    }
}

/// An agent with the full path of its archive, which must be one.
fn agent(text: &str) -> Result<String, String> {
    let (jar, options) = split_agent(text);
    let path = std::path::absolute(jar).map_err(|e| format!("agent '{jar}': {e}"))?;
    agents::check(&path).map_err(|why| format!("agent '{jar}': {why}"))?;
    let path = path.display();
    Ok(options.map_or_else(|| path.to_string(), |options| format!("{path}={options}")))
}

fn property(text: &str) -> (String, String) {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    (key.into(), value.into())
}

/// One `--jvm` may hold several options, as Surefire's argLine does; a value may hold spaces.
fn split(text: &str) -> Vec<&str> {
    let mut options = Vec::new();
    let mut from = 0;
    for (i, _) in text.match_indices(" -") {
        options.push(text[from..i].trim());
        from = i + 1;
    }
    options.push(text[from..].trim());
    options.retain(|o| !o.is_empty());
    options
}

/// The most memory the Java heap may take unless told otherwise, by HotSpot's rule: a quarter of the machine's, or of
/// what the process's control group may use. It is only taken as needed. A fixed one is that of a machine of 16 GiB, and
/// half of what there is on machines of less than 8.
fn default_heap(fixed: bool) -> u64 {
    const MOST: u64 = 30 << 30;
    const FIXED: u64 = 4 << 30;
    let text = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
    let of_machine = text("/proc/meminfo")
        .lines()
        .find_map(|line| {
            line.strip_prefix("MemTotal:")?
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<u64>()
                .ok()
        })
        .map_or(8 << 30, |kilobytes| kilobytes << 10);
    let of_group = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|file| text(file).trim().parse::<u64>().ok());
    let all = of_machine.min(of_group.unwrap_or(of_machine));
    if fixed {
        return FIXED.min((all / 2) >> 20 << 20).max(64 << 20);
    }
    ((all / 4) >> 20 << 20).clamp(64 << 20, MOST)
}

/// A size as `-Xss` takes it; HotSpot, too, takes no more than a gigabyte.
fn stack_size(text: &str) -> Result<u64, String> {
    const MOST: u64 = 1 << 30;
    match size(text)? {
        bytes if bytes <= MOST => Ok(bytes),
        _ => Err(format!(
            "a stack of '{text}' is too large: give --stack (-Xss) of at most 1g"
        )),
    }
}

/// A size as `-Xmx` takes it.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| format!("not a size: {text}"))?;
    number
        .checked_mul(factor)
        .ok_or_else(|| format!("not a size: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_options_in_one() {
        assert_eq!(split("-Da=b c -Xmx1g"), ["-Da=b c", "-Xmx1g"]);
        assert_eq!(split("--add-opens a/b=C -ea"), ["--add-opens a/b=C", "-ea"]);
    }

    #[test]
    fn all_options_of_modules_become_properties() {
        let mut options = VmOptions {
            java_home: PathBuf::new(),
            jdk_release: 17,
            preview: false,
            agents: Vec::new(),
            properties: Vec::new(),
            modules: vec![("add-opens".into(), "a/b=C".into())],
            assertions: true,
            max_heap: 0,
            stack: 0,
            compile: Compile::Hot,
            fast_indy: true,
            seed: 0,
        };
        let words = [
            "--add-opens",
            "d/e=F",
            "--add-reads=a=b",
            "--enable-native-access m",
            "-da",
            "--enable-preview",
        ];
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            assert_eq!(options.java_option(word, &mut words), Ok(true), "{word}");
        }
        assert_eq!(options.java_option("-Xrunjdwp", &mut words), Ok(false));
        assert!(!options.assertions && options.preview);
        let properties = options.module_properties();
        let texts: Vec<String> = properties.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(
            texts,
            [
                "jdk.module.addopens.0=a/b=C",
                "jdk.module.addopens.1=d/e=F",
                "jdk.module.addreads.0=a=b",
                "jdk.module.enable.native.access.0=m",
            ]
        );
    }
}
