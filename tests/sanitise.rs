//! `--sanitise` on tests of every kind, with the truth in their sources: whether a failure is put down to the network, by which
//! rule, by which exception, and to which address.

mod common;

use common::{JUPITER, command, compile, files, fresh, jars, path, poldet};
use poldet_testdata::engine::End;
use poldet_testdata::need;
use poldet_testdata::suite::build;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/sanitise")
        .join(name)
}

fn builtin_junit() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("junit-shim/jars/junit.jar")
}

/// The fixtures of a folder, compiled; None where there is no compiler.
fn classes(name: &str, as_name: &str, class_path: &[PathBuf]) -> Option<PathBuf> {
    let jdk = need::javac()?;
    let out = fresh(as_name);
    compile(&jdk, &folder(name), &build::class_path(class_path), &out);
    Some(out)
}

/// What the sources say: a test, or a class, and its words.
fn marks(name: &str) -> Vec<(String, Vec<String>)> {
    let mut marks = Vec::new();
    let java = |file: &PathBuf| file.extension().is_some_and(|e| e == "java");
    for file in files(&folder(name)).into_iter().filter(java) {
        let text = fs::read_to_string(&file).expect("the source can be read");
        let package = file.parent().and_then(Path::file_name).expect("a package");
        let outer = file.file_stem().and_then(|s| s.to_str()).expect("a name");
        let outer = format!("{}.{outer}", package.to_str().expect("a name"));
        let mut class = outer.clone();
        let mut words: Option<Vec<String>> = None;
        for line in text.lines() {
            let code = line.trim();
            if let Some(rest) = code.strip_prefix("//~ ") {
                let found: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
                match found[0].as_str() {
                    "class" => marks.push((outer.clone(), found[1..].to_vec())),
                    "warning" => {
                        marks.push(("junit.framework.TestSuite$1#warning".into(), found[1..].to_vec()))
                    }
                    _ => words = Some(found),
                }
            } else if let Some(rest) = line.strip_prefix("    class ") {
                let nested = rest.split([' ', '{']).next().unwrap_or_default();
                class = format!("{outer}${nested}");
            } else if line == "    }" && class != outer && words.is_none() {
                class = outer.clone();
            } else if let Some((_, rest)) = code.split_once("void ")
                && let Some(words) = words.take()
            {
                let method = rest.split('(').next().unwrap_or_default();
                marks.push((format!("{class}#{method}"), words));
            }
        }
    }
    assert!(!marks.is_empty());
    marks
}

/// A record as the sources would write it.
fn words_of(test: &Value) -> String {
    let why = &test["sanitised"];
    if why.is_null() {
        return test["outcome"].as_str().unwrap_or_default().to_owned();
    }
    let text = |key: &str| why[key].as_str().unwrap_or("-").to_owned();
    let address = match (why["host"].as_str(), why["port"].as_u64()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (Some(host), None) => host.to_owned(),
        _ => "-".to_owned(),
    };
    assert_eq!(test["outcome"], "skipped", "{test}");
    format!("sanitised {} {} {address}", text("rule"), text("exception"))
}

fn name_of(test: &Value) -> String {
    match test["method"].as_str() {
        Some(method) => format!("{}#{method}", test["class"].as_str().unwrap_or_default()),
        None => test["class"].as_str().unwrap_or_default().to_owned(),
    }
}

/// Compares a run with the sources.
fn check(name: &str, args: &[&str]) {
    let ended = poldet(args);
    let document: Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", ended.stdout, ended.stderr));
    let tests = document["tests"].as_array().expect("tests");
    let mut wrong = Vec::new();
    let marks = marks(name);
    for (test, words) in &marks {
        let found = tests.iter().find(|t| name_of(t) == *test);
        let found = found.map_or_else(|| "no result".to_owned(), words_of);
        if found != words.join(" ") {
            wrong.push(format!("{test}: expected {}, found {found}", words.join(" ")));
        }
    }
    for test in tests.iter().map(name_of) {
        if !marks.iter().any(|(t, _)| *t == test) {
            wrong.push(format!("{test}: has no mark"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), ended.stderr);
    let sanitised = tests.iter().filter(|t| !t["sanitised"].is_null()).count();
    assert_eq!(document["summary"]["sanitised"], sanitised);
}

const NETWORK: [&str; 4] = ["--sanitise", "network", "--format", "json"];

#[test]
fn junit_4() {
    let Some(out) = classes("junit4", "sanitise-4", &[builtin_junit()]) else {
        return;
    };
    check("junit4", &[&[path(&out)], &NETWORK[..]].concat());
}

#[test]
fn junit_3() {
    let Some(out) = classes("junit3", "sanitise-3", &[builtin_junit()]) else {
        return;
    };
    check("junit3", &[&[path(&out)], &NETWORK[..]].concat());
}

#[test]
fn isolation_changes_no_verdict() {
    let Some(out) = classes("junit4", "sanitise-isolated", &[builtin_junit()]) else {
        return;
    };
    for level in ["class", "strict"] {
        check(
            "junit4",
            &[&[path(&out), "--isolate", level], &NETWORK[..]].concat(),
        );
    }
}

#[test]
fn compiled_code_changes_no_verdict() {
    let Some(out) = classes("junit4", "sanitise-compiled", &[builtin_junit()]) else {
        return;
    };
    check(
        "junit4",
        &[&[path(&out), "--compile=-Xcomp"], &NETWORK[..]].concat(),
    );
}

/// With the JUnits of Maven Central.
#[test]
#[ignore = "fetches JUnit from Maven Central"]
fn real_junits() {
    let Some(jdk) = need::javac() else { return };
    let sets: [(&str, &str, Vec<&str>); 4] = [
        ("junit5", "jupiter", JUPITER.to_vec()),
        (
            "junit4",
            "4.13",
            vec!["junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"],
        ),
        ("junit3", "3.8", vec!["junit:junit:3.8.2"]),
        (
            "junit3",
            "3-on-4.12",
            vec!["junit:junit:4.12", "org.hamcrest:hamcrest-core:1.3"],
        ),
    ];
    for (name, what, coordinates) in sets {
        let jars = jars(&jdk, &coordinates);
        let out = classes(name, &format!("sanitise-real-{what}"), &jars).expect("a compiler");
        let class_path = build::class_path(&jars);
        check(name, &[&[path(&out), "--cp", &class_path], &NETWORK[..]].concat());
    }
}

/// Spock's features, by their names.
#[test]
#[ignore = "fetches Spock and Groovy from Maven Central"]
fn spock() {
    let Some(jdk) = need::javac() else { return };
    let coordinates = [
        "org.spockframework:spock-core:2.3-groovy-3.0",
        "org.codehaus.groovy:groovy:3.0.12",
        "org.hamcrest:hamcrest:2.2",
        "org.junit.platform:junit-platform-console-standalone:1.9.3",
    ];
    let class_path = build::class_path(&jars(&jdk, &coordinates));
    let source = folder("spock").join("sk/NetworkSpec.groovy");
    let out = fresh("sanitise-spock");
    let done = Command::new(&jdk.java)
        .args([
            "-cp",
            &class_path,
            "org.codehaus.groovy.tools.FileSystemCompiler",
            "-d",
        ])
        .args([&out, &source])
        .status();
    assert!(done.expect("the compiler runs").success());
    let args = [path(&out), "--include", "*Spec", "--cp", &class_path];
    let ended = poldet(&[&args[..], &NETWORK[..]].concat());
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    let tests = document["tests"].as_array().expect("tests");
    let text = fs::read_to_string(&source).expect("the source can be read");
    let mut words = None;
    let mut checked = 0;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("//~ ") {
            words = Some(rest);
        } else if let Some(name) = line.strip_prefix("def \"")
            && let Some(words) = words.take()
        {
            let name = name.split('"').next().unwrap_or_default();
            let test = tests.iter().find(|t| t["display"] == name).expect("a result");
            assert_eq!(words_of(test), words, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, tests.len());
}

#[test]
fn without_the_option_nothing_is_sanitised() {
    let Some(out) = classes("junit3", "sanitise-off", &[builtin_junit()]) else {
        return;
    };
    let ended = poldet(&[path(&out), "--format", "json"]);
    assert!(!ended.stdout.contains("\"sanitised\""), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("\"outcome\": \"error\""),
        "{}",
        ended.stdout
    );
}

#[test]
fn reports_say_why() {
    let Some(out) = classes("junit4", "sanitise-reports", &[builtin_junit()]) else {
        return;
    };
    let reports = fresh("sanitise-reports-out");
    let ended = poldet(&[
        path(&out),
        "--sanitise",
        "network",
        "--report-dir",
        path(&reports),
    ]);
    for part in [
        "SANITISED  s4.CreatedTest#inAThread\n    network: java.net.ConnectException: Connection refused (localhost:1)\n    rule created",
        "by thread \"fetcher\"",
        "the test ended in failed: java.lang.AssertionError",
        "NOT SANITISED  s4.ExpectedTest#assertThrowsThenFails\n    java.net.ConnectException: Connection refused: the test expected it",
        "NOT SANITISED  s4.CreatedTest#neverThrown",
        "it was never thrown",
        "NOT SANITISED  s4.CreatedTest#aServerIsClosed\n    java.net.SocketException: Socket closed: it ended a server's waiting for clients",
        "Resources that sanitised tests need:",
        "network  nowhere.invalid:80: s4.ThrownTest#",
    ] {
        assert!(
            ended.stdout.contains(part),
            "{part:?} is missing in\n{}",
            ended.stdout
        );
    }
    let xml = fs::read_to_string(reports.join("TEST-s4.CreatedTest.xml")).expect("a report");
    assert!(
        xml.contains("<skipped message=\"network assumption not met: java.net.ConnectException"),
        "{xml}"
    );
}

#[test]
fn two_runs_give_the_same_bytes() {
    let Some(out) = classes("junit4", "sanitise-twice", &[builtin_junit()]) else {
        return;
    };
    let run = |jobs: &str| {
        let args = [path(&out), "--isolate", "method", "--jobs", jobs];
        poldet(&[&args[..], &NETWORK[..]].concat()).stdout
    };
    assert_eq!(run("1"), run("4"));
}

#[test]
fn searches_see_the_sanitised_outcome() {
    let Some(out) = classes("junit3", "sanitise-nio", &[builtin_junit()]) else {
        return;
    };
    let ended = command(
        "nio",
        &[
            path(&out),
            "--sanitise",
            "network",
            "--test",
            "s3.OldTest#testThrown",
            "--format",
            "json",
        ],
    );
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    assert_eq!(document["tests"][0]["verdict"], "skipped", "{}", ended.stdout);
}

#[test]
fn wrong_input_is_one_line() {
    let Some(out) = classes("junit3", "sanitise-wrong", &[builtin_junit()]) else {
        return;
    };
    let file = |name: &str, text: &str| {
        let file = fresh(&format!("sanitise-wrong-{name}")).join("exceptions.txt");
        fs::write(&file, text).expect("it can be written");
        path(&file).to_owned()
    };
    let missing = file("missing", "# none\nno.such.Exception\n");
    let object = file("object", "java.util.ArrayList # no exception\n");
    let good = file("good", "java.net.SocketTimeoutException\ns3.OldTest\n");
    for (args, part) in [
        (&["--sanitise", "weather"][..], "'weather'"),
        (&["--network", "moon"], "'moon'"),
        (&["--network-fault", "explode"], "'explode'"),
        (&["--network-fault", "reset:"], "'reset:'"),
        (
            &["--sanitise", "network", "--sanitise-exceptions", "/no/such/file"],
            "/no/such/file",
        ),
        (
            &["--sanitise", "network", "--sanitise-exceptions", &missing],
            "line 2: 'no.such.Exception' is neither in the suite nor in the JDK",
        ),
        (
            &["--sanitise", "network", "--sanitise-exceptions", &object],
            "'java.util.ArrayList' is no exception",
        ),
        (
            &["--sanitise", "network", "--sanitise-exceptions", &good],
            "line 2: 's3.OldTest' is no exception",
        ),
        (&["--sanitise-exceptions", &object], "needs --sanitise network"),
    ] {
        let ended = poldet(&[&[path(&out)], args].concat());
        assert_eq!(ended.end, End::Exit(3), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(part), "{args:?}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
    }
}

/// The other assumptions, each by itself: a mark begins with the one it is about.
#[test]
fn other_assumptions() {
    let Some(out) = classes("others", "sanitise-others", &[builtin_junit()]) else {
        return;
    };
    let mut wrong = Vec::new();
    for assumption in ["display", "files-outside", "clock", "locale"] {
        let ended = poldet(&[path(&out), "--sanitise", assumption, "--format", "json"]);
        let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
        let tests = document["tests"].as_array().expect("tests");
        for (test, words) in marks("others").iter().filter(|(_, w)| w[0] == assumption) {
            let found = tests.iter().find(|t| name_of(t) == *test).expect("a result");
            let mut told = words_of(found);
            if let Some(path) = found["sanitised"]["path"].as_str() {
                told = told.replace(" -", &format!(" {path}"));
            }
            if told != words[1..].join(" ") {
                wrong.push(format!("{test}: expected {}, found {told}", words.join(" ")));
            }
            let said = &found["sanitised"]["assumption"];
            assert!(said.is_null() || said == assumption, "{found}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn providers_of_the_suite_name_more_exceptions() {
    let Some(out) = classes("provider", "sanitise-provider", &[builtin_junit()]) else {
        return;
    };
    let services = "META-INF/services";
    fs::create_dir_all(out.join(services)).expect("a folder can be made");
    let file = format!("{services}/nz.ac.wgtn.saflate.network.junit4.NetworkExceptionProvider");
    fs::copy(folder("provider").join(&file), out.join(&file)).expect("it can be copied");
    let ended = poldet(&[&[path(&out)], &NETWORK[..]].concat());
    assert!(
        ended
            .stderr
            .contains("\"sp.BrokenProvider\": java.lang.IllegalStateException: the provider is broken"),
        "{}",
        ended.stderr
    );
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    for (test, words) in marks("provider") {
        let tests = document["tests"].as_array().expect("tests");
        let found = tests.iter().find(|t| name_of(t) == test).expect("a result");
        assert_eq!(words_of(found), words.join(" "), "{test}");
    }
}

#[test]
fn a_file_names_more_exceptions() {
    let Some(out) = classes("provider", "sanitise-file", &[builtin_junit()]) else {
        return;
    };
    let file = out.join("exceptions.txt");
    fs::write(
        &file,
        "# more\njava.util.concurrent.TimeoutException\nsp.Provider$RemoteException\n",
    )
    .expect("it can be written");
    let ended = poldet(&[&[path(&out), "--sanitise-exceptions", path(&file)], &NETWORK[..]].concat());
    let document: Value = serde_json::from_str(&ended.stdout).expect("a document");
    assert_eq!(document["summary"]["sanitised"], 3, "{}", ended.stdout);
}

/// A server of the machine that answers each request with `hello`.
fn server() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            std::thread::spawn(move || {
                let mut request = Vec::new();
                let mut byte = [0];
                while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n > 0) {
                    request.push(byte[0]);
                }
                let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n");
            });
        }
    });
    port
}

/// Outcome and exception of each test of the network fixture.
fn network_run(out: &Path, args: &[&str]) -> (Vec<String>, String) {
    let ended = poldet(&[&[path(out), "--format", "json"], args].concat());
    let document: Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|e| panic!("{e}\n{}\n{}", ended.stdout, ended.stderr));
    let mut all: Vec<String> = Vec::new();
    for test in document["tests"].as_array().expect("tests") {
        let exception = test["exception"].as_str().unwrap_or("-");
        all.push(format!(
            "{} {} {exception}",
            test["method"].as_str().unwrap_or_default(),
            test["outcome"].as_str().unwrap_or_default()
        ));
    }
    all.sort();
    (all, ended.stdout)
}

#[test]
fn real_servers_are_reached_where_they_may_be() {
    let Some(out) = classes("network", "sanitise-real", &[builtin_junit()]) else {
        return;
    };
    let port = format!("-Dport={}", server());
    let here = ["-Dhost=localhost", &port];
    let (all, text) = network_run(&out, &[&here[..], &["--network", "loopback"]].concat());
    let passed = ["connects", "connectsWithin", "fetches", "ownServer", "selects"];
    let passed: Vec<String> = passed.iter().map(|t| format!("{t} passed -")).collect();
    assert_eq!(all, passed, "{text}");
    let document: Value = serde_json::from_str(&text).expect("a document");
    assert_eq!(document["network"]["mode"], "loopback");
    assert_eq!(document["addresses"].as_array().map(Vec::len), Some(1), "{text}");
    let (all, text) = network_run(&out, &[&here[..], &["--network", "host"]].concat());
    assert_eq!(all, passed, "{text}");
    // Closed, nobody answers there.
    let (all, _) = network_run(&out, &here);
    assert!(
        all.contains(&"connects error java.net.ConnectException".to_owned()),
        "{all:?}"
    );
    assert!(all.contains(&"ownServer passed -".to_owned()), "{all:?}");
}

#[test]
fn faults_are_those_of_a_real_network() {
    let Some(out) = classes("network", "sanitise-faults", &[builtin_junit()]) else {
        return;
    };
    for (fault, connects, within) in [
        ("refuse", "java.net.ConnectException", "java.net.ConnectException"),
        ("reset", "java.net.SocketException", "java.net.SocketException"),
        (
            "timeout",
            "java.net.ConnectException",
            "java.net.SocketTimeoutException",
        ),
        (
            "unknown-host",
            "java.net.UnknownHostException",
            "java.net.UnknownHostException",
        ),
        (
            "refuse:service.example",
            "java.net.ConnectException",
            "java.net.ConnectException",
        ),
        (
            "refuse:other.example",
            "java.net.UnknownHostException",
            "java.net.UnknownHostException",
        ),
    ] {
        let (all, text) = network_run(&out, &["--network-fault", fault]);
        assert!(
            all.contains(&format!("connects error {connects}")),
            "{fault}: {all:?}\n{text}"
        );
        assert!(
            all.contains(&format!("connectsWithin error {within}")),
            "{fault}: {all:?}"
        );
        // The machine itself is not the network.
        assert!(all.contains(&"ownServer passed -".to_owned()), "{fault}: {all:?}");
        let again = network_run(&out, &["--network-fault", fault]).1;
        assert_eq!(text, again, "{fault}");
    }
    let (all, _) = network_run(&out, &["--network-fault", "refuse:localhost"]);
    assert!(
        all.contains(&"ownServer error java.net.ConnectException".to_owned()),
        "{all:?}"
    );
}

/// A PostgreSQL server of this test's own, on a free port of this machine; it ends with the test.
struct Postgres {
    server: Child,
    port: u16,
    data: PathBuf,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = fs::remove_dir_all(&self.data);
    }
}

/// Where PostgreSQL's programs are; its packages leave them off the path.
fn postgres_programs() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Ok(versions) = fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.flatten().map(|v| v.path().join("bin")));
    }
    folders.extend(std::env::split_paths(&std::env::var_os("PATH")?));
    folders.into_iter().find(|f| f.join("initdb").is_file())
}

fn postgres() -> Option<Postgres> {
    let programs = postgres_programs()?;
    // Not below the checkout: the server refuses to run as root, and another user need not be able to look there.
    let data = std::env::temp_dir().join(format!("poldet-postgres-{}", std::process::id()));
    let _ = fs::remove_dir_all(&data);
    fs::create_dir_all(&data).expect("a folder can be made");
    let is_root = fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0);
    let nobody = 65534;
    if is_root {
        std::os::unix::fs::chown(&data, Some(nobody), Some(nobody)).expect("a folder can be given away");
    }
    let program = |name: &str| {
        let mut command = Command::new(programs.join(name));
        command.current_dir(&data).env("LC_ALL", "C");
        if is_root {
            command.uid(nobody).gid(nobody);
        }
        command
    };
    let made = program("initdb")
        .args(["-U", "poldet", "--auth=trust", "-N", "-D", "data"])
        .output();
    let made = made.expect("initdb runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let free = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let server = program("postgres")
        .args(["-D", "data", "-k", "", "-h", "127.0.0.1", "-p", &port.to_string()])
        .stderr(Stdio::null())
        .spawn()
        .expect("postgres runs");
    let server = Postgres {
        server,
        port,
        data: data.clone(),
    };
    let asked = || {
        let mut command = program("pg_isready");
        command.args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()]);
        command.status().is_ok_and(|s| s.success())
    };
    for _ in 0..600 {
        if asked() {
            return Some(server);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("PostgreSQL does not answer");
}

/// A database through its JDBC driver: tests reach it with `--network loopback`, and are sanitised without.
#[test]
#[ignore = "needs PostgreSQL on the machine and fetches its driver from Maven Central"]
fn postgresql_through_jdbc() {
    let Some(jdk) = need::javac() else { return };
    let server = postgres().expect("PostgreSQL is on this machine");
    let driver = jars(&jdk, &["org.postgresql:postgresql:42.7.3"]);
    let out = classes("database", "sanitise-database", &[builtin_junit()]).expect("a compiler");
    let driver = build::class_path(&driver);
    let port = format!("-Dport={}", server.port);
    let base = ["--cp", &driver, &port];
    let (all, text) = network_run(&out, &[&base[..], &["--network", "loopback"]].concat());
    let names = ["asks", "failsOnWrongSql", "keepsRows", "usesManyConnections"];
    let passed: Vec<String> = names.iter().map(|t| format!("{t} passed -")).collect();
    assert_eq!(all, passed, "{text}");
    // Closed, each test asks for a server that is not there, and is skipped.
    let (all, text) = network_run(&out, &[&base[..], &["--sanitise", "network"]].concat());
    let document: Value = serde_json::from_str(&text).expect("a document");
    assert_eq!(document["summary"]["sanitised"], 4, "{all:?}\n{text}");
    for test in document["tests"].as_array().expect("tests") {
        assert_eq!(test["sanitised"]["host"], "127.0.0.1", "{test}");
        assert_eq!(test["sanitised"]["port"], server.port, "{test}");
    }
}
