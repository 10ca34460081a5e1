//! What a program or a machine can do to the VM ends in one line and a named exit code, never in the host's memory.

use poldet_testdata::compile::Jdk;
use poldet_testdata::need;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Compiles a class of this name into a folder of its own.
fn compiled(jdk: &Jdk, name: &str, source: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a folder for test files");
    let file = dir.join(format!("{name}.java"));
    fs::write(&file, source).expect("source written");
    let mut javac = Command::new(&jdk.javac);
    let status = javac
        .args(["-nowarn", "-Xlint:none", "-d"])
        .arg(&dir)
        .arg(&file)
        .output();
    let status = status.expect("javac runs");
    assert!(
        status.status.success(),
        "{}",
        String::from_utf8_lossy(&status.stderr)
    );
    dir
}

fn exec(dir: &Path, args: &[&str]) -> Output {
    let mut poldet = Command::new(env!("CARGO_BIN_EXE_poldet"));
    poldet.args(["exec", "-cp"]).arg(dir).args(args);
    poldet.output().expect("poldet starts")
}

fn ends(out: &Output, code: i32, line: &str) {
    let err = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{err}");
    // Since JDK 24 the library itself warns of sun.misc.Unsafe.
    let ours: Vec<&str> = err.lines().filter(|l| !l.starts_with("WARNING: ")).collect();
    assert!(ours.len() == 1 && ours[0].contains(line), "{err}");
}

const UNSAFE: &str = r#"
import java.lang.reflect.Field;
import sun.misc.Unsafe;

public class Wild {
    static class Holder { Object object = "o"; long[] numbers = {1, 2}; int number = 7; }
    static Object statically = "s";

    public static void main(String[] args) throws Exception {
        Field f = Unsafe.class.getDeclaredField("theUnsafe");
        f.setAccessible(true);
        Unsafe u = (Unsafe) f.get(null);
        Holder h = new Holder();
        long object = u.objectFieldOffset(Holder.class.getDeclaredField("object"));
        long numbers = u.objectFieldOffset(Holder.class.getDeclaredField("numbers"));
        long number = u.objectFieldOffset(Holder.class.getDeclaredField("number"));
        int[] array = new int[4];
        switch (args[0]) {
            case "fine" -> {
                u.putInt(h, number, 9);
                u.putObject(h, object, "other");
                u.putObject(h, numbers, new long[] {3});
                u.putInt(array, Unsafe.ARRAY_INT_BASE_OFFSET + 12L, 5);
                u.putLong(array, (long) Unsafe.ARRAY_INT_BASE_OFFSET, 1L << 32);
                Field s = Wild.class.getDeclaredField("statically");
                u.putObject(u.staticFieldBase(s), u.staticFieldOffset(s), 5);
                System.out.println(h.number + " " + h.object + " " + h.numbers[0] + " " + array[1] + array[3] + statically);
            }
            case "behind" -> u.putInt(array, Unsafe.ARRAY_INT_BASE_OFFSET + 16L, 1);
            case "far" -> System.out.println(u.getLong(array, 1L << 34));
            case "before" -> u.putInt(array, -8L, 1);
            case "length" -> u.putInt(array, 8L, 1 << 30);
            case "class" -> u.putInt(h, 0L, 1);
            case "forged" -> u.putInt(h, object, 0x100);
            case "loaded" -> System.out.println(u.getObject(h, number));
            case "confused" -> u.putObject(h, numbers, "text");
            case "elements" -> u.putObject(new String[1], (long) Unsafe.ARRAY_OBJECT_BASE_OFFSET, 5);
            case "block" -> u.setMemory(h, object, 8, (byte) 1);
            case "long block" -> u.setMemory(array, Unsafe.ARRAY_INT_BASE_OFFSET, 1L << 32, (byte) 1);
            case "copy" -> u.copyMemory(array, Unsafe.ARRAY_INT_BASE_OFFSET, h, object, 8);
            case "raw" -> u.putLong(0x7f00_0000_0000L, 1);
        }
    }
}
"#;

#[test]
fn unsafe_stays_within_its_object() {
    let Some(jdk) = need::javac() else { return };
    let dir = compiled(&jdk, "Wild", UNSAFE);
    for mode in ["-Xint", "-Xcomp"] {
        let fine = exec(&dir, &[mode, "Wild", "fine"]);
        let printed = String::from_utf8_lossy(&fine.stdout);
        assert_eq!(
            printed.trim(),
            "9 other 3 155",
            "{}",
            String::from_utf8_lossy(&fine.stderr)
        );
        let wild = [
            "behind", "far", "before", "length", "class", "forged", "loaded", "confused", "elements",
        ];
        for what in wild {
            ends(&exec(&dir, &[mode, "Wild", what]), 4, "unsupported: Unsafe: ");
        }
        for what in ["block", "copy"] {
            // The JDK's own checks come first, as on HotSpot.
            let out = exec(&dir, &[mode, "Wild", what]);
            let err = String::from_utf8_lossy(&out.stderr);
            assert_eq!(out.status.code(), Some(1), "{err}");
            assert!(err.contains("java.lang.IllegalArgumentException"), "{err}");
        }
        ends(&exec(&dir, &[mode, "Wild", "long block"]), 4, "outside an array");
        ends(&exec(&dir, &[mode, "Wild", "raw"]), 4, "raw memory");
    }
}

#[test]
fn more_locals_than_registers_are_unsupported() {
    let Some(jdk) = need::javac() else { return };
    let names: Vec<String> = (0..32_766).map(|n| format!("a{n}")).collect();
    let source = format!(
        "public class Many {{ static int many() {{ long {}; return 1; }} public static void main(String[] a) {{ try {{ System.out.println(many()); }} catch (VerifyError e) {{ System.out.println(e); }} }} }}",
        names.join(", ")
    );
    let dir = compiled(&jdk, "Many", &source);
    let out = exec(&dir, &["Many"]);
    if out.status.code() != Some(0) {
        ends(
            &out,
            4,
            "unsupported: method int Many.many(): more than 65535 registers",
        );
    } else {
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), "1");
    }
}

#[test]
fn sizes_that_do_not_fit_are_named() {
    let Some(jdk) = need::javac() else { return };
    let hello =
        "public class Hello { public static void main(String[] a) { System.out.println(\"hello\"); } }";
    let dir = compiled(&jdk, "Hello", hello);
    ends(
        &exec(&dir, &["--stack", "900g", "Hello"]),
        3,
        "'900g' is too large",
    );
    ends(&exec(&dir, &["-Xss99999999999g", "Hello"]), 3, "not a size");
    let limited = |kilobytes: &str| {
        let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
        let mut sh = Command::new("sh");
        sh.args(["-c", &script, env!("CARGO_BIN_EXE_poldet"), "exec", "-cp"]);
        sh.arg(&dir).arg("Hello").output().expect("sh starts")
    };
    ends(&limited("200000"), 3, "ulimit -v");
    ends(&limited("1000000"), 3, "ulimit -v");
}

const LOADERS: &str = r#"
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

public class ManyLoaders {
    public static class Loaded {
        static byte[] state = new byte[2000];
        public static int size() { return state.length; }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) { return defineClass("ManyLoaders$Loaded", bytes, 0, bytes.length); }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (InputStream in = ManyLoaders.class.getResourceAsStream("ManyLoaders$Loaded.class")) {
            bytes = in.readAllBytes();
        }
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            Class<?> c = new Loader().define(bytes);
            if ((int) c.getMethod("size").invoke(null) != 2000) throw new AssertionError();
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) System.out.println(line.replaceAll("[^0-9]", ""));
        }
    }
}
"#;

#[test]
fn loaders_that_come_and_go_leave_little() {
    let Some(jdk) = need::javac() else { return };
    let dir = compiled(&jdk, "ManyLoaders", LOADERS);
    // Kilobytes that were used at most.
    let most = |rounds: &str| -> u64 {
        let out = exec(&dir, &["--max-heap", "32m", "ManyLoaders", rounds]);
        let text = String::from_utf8_lossy(&out.stdout);
        let number = text.trim().parse();
        number.unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&out.stderr)))
    };
    let (few, many) = (most("4000"), most("24000"));
    // Their static fields alone would be 40 MB.
    assert!(many < few + 20 * 3_000, "{few} kB, then {many} kB");
}
