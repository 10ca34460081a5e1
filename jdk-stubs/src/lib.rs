//! Java classes that take the place of the JDK's own of the same name when the VM boots, as `java --patch-module` does it.
//!
//! Their sources are in `java/`, by module; `rebuild.sh` compiles them to `patches.jar`, which is committed, so that nobody
//! needs a Java compiler to build poldet. A class is patched only where no native method could do: when the JDK's own
//! reaches for the machine in a way that would let two runs differ.

/// The compiled classes, at `module/package/Class.class`, not compressed.
pub const JAR: &[u8] = include_bytes!("../patches.jar");

/// The patched classes by module and internal name, each with the reason why it is.
pub const PATCHES: &[(&str, &str, &str)] = &[(
    "java.prefs",
    "java/util/prefs/FileSystemPreferences",
    "keeps preferences in the user's home and in the JDK's folder, where runs would see each other's",
)];
