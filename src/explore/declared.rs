//! What a test class declares by annotations, its own or inherited ones: read from the class files, before anything runs.

use crate::run::suite::Suite;
use poldet_vm::classfile::ClassFile;

/// Superclasses that are asked; a longer chain is taken for a circle.
const MOST_CLASSES: usize = 100;

/// Does the class, or one above it, declare the order of its tests?
pub fn order(suite: &Suite, class: &str) -> bool {
    any_above(suite, class, |names| {
        names("Lorg/junit/FixMethodOrder;") || names("Lorg/junit/jupiter/api/TestMethodOrder;")
    })
}

/// Does JUnit 4 find the tests of the class without running any code of it? A runner of its own, or JUnit 3, may do anything.
pub fn plain(suite: &Suite, class: &str) -> bool {
    !any_above(suite, class, |names| {
        names("Lorg/junit/runner/RunWith;") || names("junit/framework/") || names("suite")
    })
}

/// Does anything run around the tests of the class as a whole, or may it?
pub fn around_class(suite: &Suite, class: &str) -> bool {
    const NAMES: [&str; 10] = [
        "Lorg/junit/BeforeClass;",
        "Lorg/junit/AfterClass;",
        "Lorg/junit/ClassRule;",
        "Lorg/junit/runner/RunWith;",
        "Lorg/junit/jupiter/api/BeforeAll;",
        "Lorg/junit/jupiter/api/AfterAll;",
        "Lorg/junit/jupiter/api/TestInstance;",
        "Lorg/junit/jupiter/api/extension/",
        "Lorg/junit/jupiter/api/Nested;",
        "junit/extensions/",
    ];
    any_above(suite, class, |names| NAMES.iter().any(|name| names(name)))
}

/// Do the tests of the class share an instance of it? Its fields are then shared, too, and no static field leads to them.
pub fn shared_instance(suite: &Suite, class: &str) -> bool {
    any_above(suite, class, |names| {
        names("Lorg/junit/jupiter/api/TestInstance;") && names("PER_CLASS")
    })
}

/// Does JUnit keep something for the tests of the class that no static field leads to: an instance, parameters, arguments?
pub fn shared_state(suite: &Suite, class: &str) -> bool {
    any_above(suite, class, |names| {
        (names("Lorg/junit/jupiter/api/TestInstance;") && names("PER_CLASS"))
            || names("Lorg/junit/runners/Parameterized;")
            || names("Lorg/junit/jupiter/params/ParameterizedTest;")
            || names("Lorg/junit/jupiter/api/TestFactory;")
    })
}

/// The same, or a runner or an extension that might.
pub fn hidden_state(suite: &Suite, class: &str) -> bool {
    const NAMES: [&str; 2] = ["Lorg/junit/runner/RunWith;", "Lorg/junit/jupiter/api/extension/"];
    shared_state(suite, class) || any_above(suite, class, |names| NAMES.iter().any(|name| names(name)))
}

/// Whether the constants of the class, or of one above it, fulfil a condition.
fn any_above(suite: &Suite, class: &str, fits: impl Fn(&dyn Fn(&str) -> bool) -> bool) -> bool {
    let mut next = Some(class.replace('.', "/"));
    for _ in 0..MOST_CLASSES {
        let file = next.take().map(|name| format!("{name}.class"));
        let Some(bytes) = file.and_then(|file| suite.entries().find_map(|e| e.read(&file))) else {
            break;
        };
        let names = |text: &str| bytes.windows(text.len()).any(|w| w == text.as_bytes());
        if fits(&names) {
            return true;
        }
        // A class file is read once for each class of the suite, and a class file's index lives on.
        let leaked: &'static [u8] = Vec::leak(bytes.into_owned());
        let parsed = ClassFile::parse(leaked).ok();
        let above = parsed.as_ref().and_then(ClassFile::super_name);
        next = above.and_then(|name| String::from_utf8(name.to_vec()).ok());
    }
    false
}
