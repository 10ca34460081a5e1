//! The options of a VM, the same for a program and for a suite.

use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Args)]
pub struct VmArgs {
    /// The JDK whose class library to use
    #[arg(long, value_name = "DIR", help_heading = "VM")]
    pub jdk: Option<PathBuf>,

    /// An option as `java` takes it: -D, -ea, -da, -Xmx, -Xss, -Xint, -Xmixed, -Xcomp, -javaagent, --enable-preview and those of modules; several may stand in one text
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, help_heading = "VM")]
    pub jvm: Vec<String>,

    /// Set a system property
    #[arg(short = 'D', value_name = "K=V", help_heading = "VM")]
    pub properties: Vec<String>,

    /// The most memory the Java heap may take, e.g. 64m; a quarter of the machine's when absent
    #[arg(long, value_name = "N", help_heading = "VM")]
    pub max_heap: Option<String>,

    /// The stack of a thread, e.g. 1m
    #[arg(long, value_name = "N", default_value = "2m", help_heading = "VM")]
    pub stack: String,

    /// Vary thread schedule and identity hashes
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "VM")]
    pub seed: u64,

    /// Enable assertions; tests always run with them, unless --jvm=-da is given
    #[arg(long = "ea", visible_alias = "enableassertions", help_heading = "VM")]
    pub assertions: bool,

    /// Which methods are compiled: -Xint none, -Xmixed those that are hot, -Xcomp as many as can be
    #[arg(long, value_name = "OPTION", default_value = "-Xmixed", allow_hyphen_values = true,
        value_parser = ["-Xint", "-Xmixed", "-Xcomp"], help_heading = "VM")]
    pub compile: String,

    /// Link lambdas and string concatenation through the JDK's own machinery only
    #[arg(long, help_heading = "VM")]
    pub slow_indy: bool,

    /// Open a package to a module, as `java --add-opens`
    #[arg(long, value_name = "MODULE/PACKAGE=TARGET", help_heading = "VM")]
    pub add_opens: Vec<String>,

    /// Export a package to a module, as `java --add-exports`
    #[arg(long, value_name = "MODULE/PACKAGE=TARGET", help_heading = "VM")]
    pub add_exports: Vec<String>,

    /// Root modules beside the default ones, as `java --add-modules`
    #[arg(long, value_name = "MODULE,…", help_heading = "VM")]
    pub add_modules: Vec<String>,

    /// Let a module read another, as `java --add-reads`
    #[arg(long, value_name = "MODULE=TARGET", help_heading = "VM")]
    pub add_reads: Vec<String>,

    /// Modules that may use native code, as `java --enable-native-access`
    #[arg(long, value_name = "MODULE,…", help_heading = "VM")]
    pub enable_native_access: Vec<String>,

    /// Allow the preview features of the JDK's release, as `java --enable-preview`
    #[arg(long, help_heading = "VM")]
    pub enable_preview: bool,
}

impl VmArgs {
    /// The same as words of a command line, but for the JDK, the seed and what is as it is by default.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), value.to_owned()]);
        if let Some(size) = &self.max_heap {
            option("max-heap", size);
        }
        if self.stack != "2m" {
            option("stack", &self.stack);
        }
        for (name, values) in self.module_args() {
            values.iter().for_each(|value| option(name, value));
        }
        words.extend(self.properties.iter().map(|p| format!("-D{p}")));
        // Their values begin with dashes.
        words.extend((self.compile != "-Xmixed").then(|| format!("--compile={}", self.compile)));
        words.extend(self.jvm.iter().map(|o| format!("--jvm={o}")));
        words.extend(self.enable_preview.then(|| "--enable-preview".to_owned()));
        words.extend(self.slow_indy.then(|| "--slow-indy".to_owned()));
        words
    }

    /// The options about modules, by their names without dashes.
    pub fn module_args(&self) -> [(&'static str, &[String]); 5] {
        [
            ("add-opens", &self.add_opens),
            ("add-exports", &self.add_exports),
            ("add-modules", &self.add_modules),
            ("add-reads", &self.add_reads),
            ("enable-native-access", &self.enable_native_access),
        ]
    }
}
