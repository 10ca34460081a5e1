//! Classes with injected writes are valid, keep their annotations and do what they did before: shown on HotSpot.

use poldet_testdata::compile;
use poldet_testdata::inject::{Entries, inject};
use poldet_testdata::need;
use poldet_testdata::suite::jar;
use std::fs;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = r#"
import java.lang.annotation.*;
import java.lang.reflect.*;

public class Subject {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { long value() default 5; }

    static final long WIDE = 1L << 40;
    static final double ALSO = 2.5;

    @Mark(7) public void one() { System.out.print("one "); loop(3); }
    @Mark public void two() throws java.io.IOException { System.out.print("two "); loop(2); }
    @Mark void three() { System.out.print("three "); loop(1); }
    @Mark protected void four() { System.out.print("four "); loop(0); }
    @Mark public void five() { System.out.print("five "); }
    @Mark public void six() { five(); }

    void loop(int n) {
        for (int i = 0; i < n; i++) {
            try {
                if (i == 1) throw new IllegalStateException();
            } catch (IllegalStateException expected) {
                System.out.print("caught ");
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (Method m : Subject.class.getDeclaredMethods()) {
            m.setAccessible(true);
            if (m.isAnnotationPresent(Mark.class) && m.getName().equals(args[0])) {
                m.invoke(new Subject());
                System.out.println(m.getAnnotation(Mark.class).value() + " " + m.getExceptionTypes().length);
            }
        }
        for (Class<?> c : new Class<?>[] {Subject.class, Class.forName("injected.State")}) {
            for (Field f : c.getFields()) {
                Object value = f.get(null);
                if (value instanceof int[]) value = java.util.Arrays.toString((int[]) value);
                System.out.println(f.getName() + " " + value.getClass().getSimpleName() + " " + value);
            }
        }
    }
}
"#;

#[test]
fn injected_classes_run_on_hotspot() {
    let Some(jdk) = need::javac() else { return };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inject");
    fs::create_dir_all(&cache).unwrap();
    let source = cache.join("Subject.java");
    fs::write(&source, SOURCE).unwrap();
    let classes = compile::sources_into(&jdk, &["-g"], &[&source], &cache, "subject").unwrap();
    let original: Entries = jar::files(&classes).unwrap().into_iter().collect();
    let names = [
        "one", "two", "three", "four", "five", "six", "loop", "main", "absent",
    ];
    let tests: Vec<(String, String)> = names.iter().map(|n| ("Subject".into(), (*n).into())).collect();

    let mut entries = original.clone();
    let injected = inject(&mut entries, &tests, 100, 3).unwrap();
    let mut again = original;
    assert_eq!(injected, inject(&mut again, &tests, 100, 3).unwrap());
    assert_eq!(entries, again, "the same seed gives the same classes");

    // `five` is called by another method, `loop` and `main` take arguments.
    let mut methods: Vec<&str> = injected.iter().map(|i| i.method.as_str()).collect();
    methods.sort_unstable();
    assert_eq!(methods, ["four", "one", "six", "three", "two"]);

    let file = cache.join("injected.jar");
    let entries: Vec<(String, Vec<u8>)> = entries.into_iter().collect();
    fs::write(&file, jar::of(&entries)).unwrap();
    for one in &injected {
        let output = Command::new(&jdk.java)
            .args(["-Xverify:all", "-cp"])
            .arg(&file)
            .args(["Subject", &one.method])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let field = one.root.rsplit('.').next().unwrap();
        let state = text
            .lines()
            .find(|l| l.starts_with(&format!("{field} ")))
            .unwrap_or("");
        let wanted = [
            "Integer 1",
            "String [0, 0, 7, 0]",
            "HashMap {injected=value}",
            "LinkedList []",
        ];
        assert!(
            wanted.iter().any(|w| state.ends_with(w)),
            "{}: {text}",
            one.method
        );
        let first = match one.method.as_str() {
            "one" => "one caught 7 0",
            "two" => "two caught 5 1",
            "three" => "three 5 0",
            "four" => "four 5 0",
            _ => "five 5 0",
        };
        assert_eq!(text.lines().next(), Some(first));
    }
}
