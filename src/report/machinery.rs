//! Which classes say how something happened, not who did it: the class library's and JUnit's.

/// JUnit and what comes with it.
pub const JUNIT: [&str; 4] = ["org.junit.", "junit.", "poldet.shim.", "org.opentest4j."];

const LIBRARY: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// Is this a class of the class library or of JUnit, by its name?
pub fn is_machinery(class: &str) -> bool {
    LIBRARY.iter().chain(&JUNIT).any(|p| class.starts_with(p))
}
