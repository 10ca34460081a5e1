//! The command line: bad input gets one clear line and a named exit code; runs repeat to the byte.

use poldet_testdata::need;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn poldet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_poldet"))
        .args(args)
        .output()
        .expect("poldet starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder for this test's files, empty at the start.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for test files");
    dir
}

/// Compiles one source file; false when there is no compiler.
fn javac(dir: &Path, name: &str, source: &str) -> bool {
    let file = dir.join(format!("{name}.java"));
    fs::write(&file, source).expect("source written");
    let Some(jdk) = need::javac() else { return false };
    let out = Command::new(jdk.javac).arg("-d").arg(dir).arg(&file).output();
    let out = out.expect("javac runs");
    assert!(out.status.success(), "javac: {}", text(&out.stderr));
    true
}

/// The run fails with this code and one line on standard error that has these words.
fn refused(args: &[&str], code: i32, words: &[&str]) {
    let out = poldet(args);
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{args:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{args:?}: {err}");
    for word in words {
        assert!(err.contains(word), "{args:?}: {err}");
    }
}

const HELLO: &str =
    "public class Hello { public static void main(String[] a) { System.out.println(\"hello\"); } }";

#[test]
fn bad_input_gets_one_line() {
    let dir = folder("bad");
    let at = |name: &str| dir.join(name).display().to_string();
    refused(&["exec", "--jdk", "/nowhere", "Hello"], 3, &["/nowhere"]);
    refused(
        &["exec", "-cp", &at("missing"), "Hello"],
        3,
        &["Hello", "does not exist"],
    );
    refused(&["exec", "-jar", &at("missing.jar")], 3, &["missing.jar"]);
    fs::write(dir.join("no.jar"), b"this is no archive").expect("written");
    refused(&["exec", "-jar", &at("no.jar")], 3, &["no.jar"]);
    refused(&["exec", "-cp", &at("no.jar"), "Hello"], 3, &["no.jar"]);
    if !javac(&dir, "Hello", HELLO) || !javac(&dir, "NoMain", "public class NoMain { }") {
        return;
    }
    refused(&["exec", "-cp", &at(""), "NoMain"], 3, &["NoMain", "main"]);
    let whole = fs::read(dir.join("Hello.class")).expect("compiled");
    let cut = folder("cut");
    for len in (0..whole.len()).step_by(17) {
        fs::write(cut.join("Hello.class"), &whole[..len]).expect("written");
        refused(
            &["exec", "-cp", &cut.display().to_string(), "Hello"],
            3,
            &["Hello"],
        );
    }
}

#[test]
fn a_newer_class_file_is_refused() {
    let dir = folder("newer");
    if !javac(&dir, "Hello", HELLO) {
        return;
    }
    let mut bytes = fs::read(dir.join("Hello.class")).expect("compiled");
    bytes[7] = 99;
    fs::write(dir.join("Hello.class"), bytes).expect("written");
    refused(
        &["exec", "-cp", &dir.display().to_string(), "Hello"],
        3,
        &["Hello", "99"],
    );
}

/// JDK 25 runs main methods of objects.
#[test]
fn a_main_method_of_an_object_runs() {
    let Some(jdk) = need::javac_of(25) else { return };
    let dir = folder("instance-main");
    let file = dir.join("Plain.java");
    fs::write(&file, "void main() { System.out.println(1); }").expect("source written");
    let out = Command::new(jdk.javac).arg("-d").arg(&dir).arg(&file).output();
    assert!(out.expect("javac runs").status.success());
    let path = dir.display().to_string();
    let out = poldet(&["exec", "-cp", &path, "Plain"]);
    assert_eq!(text(&out.stdout), "1\n", "{}", text(&out.stderr));
}

#[test]
fn a_program_takes_all_options_of_modules() {
    let dir = folder("modules");
    if !javac(&dir, "Hello", HELLO) {
        return;
    }
    let at = dir.display().to_string();
    let out = poldet(&[
        "exec",
        "-cp",
        &at,
        "--add-opens",
        "java.base/java.lang=ALL-UNNAMED",
        "--add-exports",
        "java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-modules",
        "java.logging",
        "--add-reads",
        "java.base=ALL-UNNAMED",
        "--enable-native-access",
        "ALL-UNNAMED",
        "--jvm",
        "-Xss1m -Da=b",
        "Hello",
    ]);
    assert_eq!(
        (text(&out.stdout), out.status.code()),
        ("hello\n".into(), Some(0)),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn usage_errors_have_their_code() {
    assert_eq!(poldet(&["exec"]).status.code(), Some(3));
    assert_eq!(poldet(&["nonsense"]).status.code(), Some(3));
    assert_eq!(
        poldet(&["exec", "--max-heap", "many", "Hello"]).status.code(),
        Some(3)
    );
}

const RACE: &str = r#"
import java.util.*;
public class Race {
    static final StringBuffer order = new StringBuffer();
    public static void main(String[] a) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            char c = (char) ('a' + i);
            Thread t = new Thread(() -> { for (int k = 0; k < 40; k++) { order.append(c); for (int j = 0; j < 3000; j++) Math.abs(j); } });
            all.add(t); t.start();
        }
        for (Thread t : all) t.join();
        System.out.println(order);
        System.out.println(new Object().hashCode() + " " + System.nanoTime() + " " + new Random().nextInt() + " " + new java.security.SecureRandom().nextInt());
        System.out.println(new HashSet<>(List.of(new Object() { public String toString() { return "x"; } }, Thread.currentThread())));
    }
}
"#;

#[test]
fn the_same_run_gives_the_same_bytes_and_seeds_vary_it() {
    let dir = folder("race");
    if !javac(&dir, "Race", RACE) {
        return;
    }
    let cp = dir.display().to_string();
    let run = |seed: &str| {
        let out = poldet(&["exec", "-cp", &cp, "--seed", seed, "Race"]);
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let first = run("0");
    for _ in 0..4 {
        assert_eq!(run("0"), first);
    }
    let orders: Vec<String> = (1..6).map(|s| run(&s.to_string())).collect();
    assert_eq!(run("1"), orders[0]);
    let interleaving = |out: &String| out.lines().next().map(str::to_owned);
    assert!(
        orders.iter().any(|o| interleaving(o) != interleaving(&first)),
        "seeds change the interleaving"
    );
}

const STUCK: &str = r#"
public class Stuck {
    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = new Object();
        Thread t = new Thread(() -> { synchronized (b) { pause(); synchronized (a) { } } }, "other");
        t.start();
        synchronized (a) { pause(); synchronized (b) { } }
    }
    static void pause() { try { Thread.sleep(50); } catch (InterruptedException e) { } }
}
"#;

#[test]
fn a_deadlock_is_reported() {
    let dir = folder("stuck");
    if !javac(&dir, "Stuck", STUCK) {
        return;
    }
    let out = poldet(&["exec", "-cp", &dir.display().to_string(), "Stuck"]);
    let err = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{err}");
    assert!(
        err.contains("deadlock") && err.contains("\"main\"") && err.contains("\"other\""),
        "{err}"
    );
    assert!(
        err.contains("held by \"other\"") && err.contains("Stuck.java"),
        "{err}"
    );
}

#[test]
fn natives_that_are_missing_are_named() {
    let dir = folder("missing");
    let source = "public class P { public static void main(String[] a) throws Exception { \
                  try { new java.awt.image.BufferedImage(1, 1, 1).createGraphics(); } \
                  catch (Throwable t) { System.out.println(t); } } }";
    if !javac(&dir, "P", source) {
        return;
    }
    refused(
        &["exec", "-cp", &dir.display().to_string(), "P"],
        4,
        &["unsupported", "BufImgSurfaceData.initRaster"],
    );
}

/// A test of stamina: the JDK's own compiler.
#[test]
fn javac_compiles_on_poldet() {
    let dir = folder("javac");
    let source = dir.join("Hello.java");
    fs::write(&source, HELLO).expect("written");
    let out_dir = dir.join("out");
    let out = poldet(&[
        "exec",
        "com.sun.tools.javac.Main",
        "-d",
        &out_dir.display().to_string(),
        &source.display().to_string(),
    ]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = poldet(&["exec", "-cp", &out_dir.display().to_string(), "Hello"]);
    assert_eq!(text(&out.stdout), "hello\n");
}
