//! `-javaagent`, against HotSpot: order, options, boot class path, redefinition; and agents that cannot be started.

mod common;

use common::{binary, fresh, path};
use poldet_testdata::compile::Jdk;
use poldet_testdata::need;
use poldet_testdata::suite::fetch;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Agents {
    jdk: Jdk,
    folder: PathBuf,
}

fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/agents")
        .join(name)
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}");
    output
}

impl Agents {
    /// Compiles agents and program, and packs the agents.
    fn build(name: &str) -> Option<Agents> {
        let jdk = need::javac()?;
        let folder = fresh(name);
        let agents = Agents { jdk, folder };
        let junit = Path::new(env!("CARGO_MANIFEST_DIR")).join("junit-shim/jars/junit.jar");
        agents.compile("helper", &["helper/Helper.java"], "");
        let helper = agents.at("helper");
        agents.compile("first", &["first/First.java"], path(&helper));
        agents.compile("second", &["second/Second.java"], path(&helper));
        let both = format!("{}:{}", path(&helper), path(&agents.at("first")));
        agents.compile("program", &["Program.java", "Target.java"], &both);
        let all = format!("{both}:{}:{}", path(&agents.at("program")), path(&junit));
        agents.compile("suite", &["AgentTest.java"], &all);
        agents.pack("helper", "");
        let boot = "Boot-Class-Path: helper.jar\n";
        agents.pack(
            "first",
            &format!("Premain-Class: first.First\n{boot}Can-Redefine-Classes: true\n"),
        );
        agents.pack("second", "Premain-Class: second.Second\n");
        Some(agents)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn jar(&self, name: &str) -> String {
        path(&self.folder.join(format!("{name}.jar"))).to_owned()
    }

    fn compile(&self, name: &str, files: &[&str], class_path: &str) {
        let mut javac = Command::new(&self.jdk.javac);
        javac.args(["--release", "17", "-nowarn", "-cp", class_path, "-d"]);
        javac.arg(self.at(name));
        run(javac.args(files.iter().map(|f| sources(name).join(f))));
    }

    fn pack(&self, name: &str, manifest: &str) {
        let file = self.folder.join("manifest.txt");
        fs::write(&file, manifest).expect("a manifest can be written");
        let mut jar = Command::new(self.jdk.javac.with_file_name("jar"));
        jar.args(["cfm", &self.jar(name), path(&file), "-C"]);
        run(jar.arg(self.at(name)).arg("."));
    }

    fn exec(&self, agents: &[String]) -> Output {
        let mut poldet = Command::new(binary());
        poldet.arg("exec");
        poldet.args(agents.iter().map(|a| format!("--jvm=-javaagent:{a}")));
        poldet.args(["--cp", path(&self.at("program")), "Program"]);
        poldet.output().expect("poldet can be run")
    }
}

#[test]
fn agents_start_as_on_hotspot() {
    let Some(agents) = Agents::build("agents-exec") else {
        return;
    };
    let given = [format!("{}=x=y", agents.jar("first")), agents.jar("second")];
    let mut java = Command::new(&agents.jdk.java);
    java.args(given.iter().map(|a| format!("-javaagent:{a}")));
    let expected = run(java.args(["-cp", path(&agents.at("program")), "Program"]));
    let found = agents.exec(&given);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        text(&found.stdout),
        text(&expected.stdout),
        "{}",
        text(&found.stderr)
    );
    assert!(found.status.success());
}

#[test]
fn suites_run_with_agents() {
    let Some(agents) = Agents::build("agents-run") else {
        return;
    };
    let first = format!("--jvm=-javaagent:{}=x=y", agents.jar("first"));
    let second = format!("--jvm=-javaagent:{}", agents.jar("second"));
    let program = agents.at("program");
    let suite = agents.at("suite");
    let ended = common::poldet(&[
        path(&suite),
        "--cp",
        path(&program),
        &first,
        &second,
        "--format",
        "json",
    ]);
    let results = common::results(&ended);
    assert_eq!(
        common::outcomes(&results),
        ["AgentTest#woven passed"],
        "{}",
        ended.stderr
    );
}

#[test]
fn agents_that_cannot_start_are_errors() {
    let Some(agents) = Agents::build("agents-errors") else {
        return;
    };
    let error = |agent: String| {
        let output = agents.exec(&[agent]);
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let missing = error("no/such.jar".into());
    assert!(missing.starts_with("error: agent 'no/such.jar': "), "{missing}");
    let helper = error(agents.jar("helper"));
    assert!(helper.contains("its manifest names no Premain-Class"), "{helper}");
    let first = format!("{}=x", agents.jar("first"));
    let failing = agents.exec(&[first, format!("{}=fail", agents.jar("second"))]);
    let text = String::from_utf8_lossy(&failing.stderr).into_owned();
    assert!(
        text.contains("premain threw") && text.contains("java.lang.IllegalStateException: asked to"),
        "{text}"
    );
    assert_eq!(failing.status.code(), Some(3));
}

/// What JaCoCo's own program says of an execution data file: classes with their ids and how many probes were hit.
fn probes(agents: &Agents, cli: &Path, file: &Path) -> Vec<String> {
    let mut java = Command::new(&agents.jdk.java);
    let output = run(java.args(["-jar", path(cli), "execinfo", path(file)]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<String> = text
        .lines()
        .filter(|l| l.contains(" of "))
        .map(String::from)
        .collect();
    lines.sort();
    lines
}

/// Maven Central: `cargo test --release --test agents -- --ignored`.
#[test]
#[ignore = "fetches JaCoCo and JUnit from Maven Central"]
fn jacoco_sees_the_same_as_on_hotspot() {
    let Some(agents) = Agents::build("agents-jacoco") else {
        return;
    };
    let coordinates = [
        "org.jacoco:org.jacoco.agent:0.8.14:runtime",
        "org.jacoco:org.jacoco.cli:0.8.14:nodeps",
        "junit:junit:4.13.2",
        "org.hamcrest:hamcrest-core:1.3",
    ];
    let coordinates = coordinates.map(String::from);
    let jars = fetch::jars(&agents.jdk, &coordinates).expect("JaCoCo and JUnit can be fetched");
    let [agent, cli, junit, hamcrest] = &jars[..] else {
        panic!("{jars:?}");
    };
    let libraries = format!("{}:{}", path(junit), path(hamcrest));
    agents.compile(
        "coverage",
        &["covered/Sorter.java", "covered/SorterTest.java"],
        &libraries,
    );
    let classes = agents.at("coverage");
    let option = |file: &Path| {
        let file = path(file);
        format!(
            "-javaagent:{}=destfile={file},sessionid=s,includes=covered.*",
            path(agent)
        )
    };
    let (theirs, ours) = (agents.at("hotspot.exec"), agents.at("poldet.exec"));
    let mut java = Command::new(&agents.jdk.java);
    java.args([
        &option(&theirs),
        "-cp",
        &format!("{}:{libraries}", path(&classes)),
    ]);
    let ended = java
        .args(["org.junit.runner.JUnitCore", "covered.SorterTest"])
        .output();
    assert_eq!(ended.expect("java runs").status.code(), Some(1), "one test fails");
    let jvm = format!("--jvm={}", option(&ours));
    let ended = common::poldet(&[path(&classes), "--cp", &libraries, &jvm, "--write-through"]);
    let expected = probes(&agents, cli, &theirs);
    assert_eq!(expected.len(), 2);
    assert_eq!(probes(&agents, cli, &ours), expected, "{}", ended.stderr);
}
