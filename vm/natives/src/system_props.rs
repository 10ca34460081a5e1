//! jdk.internal.util.SystemProps.Raw: what `System.getProperties` starts from.

use crate::{Ctx, Native, native};
use poldet_vm::ids::ObjRef;
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

const RAW: &str = "jdk/internal/util/SystemProps$Raw";

pub const TABLE: &[Native] = &[
    native(
        RAW,
        "platformProperties",
        "()[Ljava/lang/String;",
        platform_properties,
    ),
    native(RAW, "vmProperties", "()[Ljava/lang/String;", vm_properties),
];

/// Language and country of the messages' locale, and the character encoding, as the C library would say it.
struct Locale {
    language: String,
    script: Option<String>,
    country: Option<String>,
    variant: Option<String>,
    encoding: String,
}

impl Locale {
    /// From a value of LC_ALL and its like: `language_COUNTRY.encoding@variant`.
    fn parse(name: &str) -> Locale {
        let (name, variant) = match name.split_once('@') {
            Some((name, variant)) => (name, Some(variant.to_owned())),
            None => (name, None),
        };
        let (name, encoding) = match name.split_once('.') {
            Some((name, encoding)) => (name, encoding_name(encoding)),
            None => (name, "ANSI_X3.4-1968".to_owned()),
        };
        let plain = matches!(name, "" | "C" | "POSIX");
        let (language, country) = match name.split_once('_') {
            _ if plain && encoding == "UTF-8" => ("en", None),
            _ if plain => ("en", Some("US")),
            Some((language, country)) => (language, Some(country)),
            None => (name, None),
        };
        // The only modifiers the JDK takes for scripts.
        let (script, variant) = match variant.as_deref() {
            Some("latin") => (Some("Latn".to_owned()), None),
            Some("cyrillic") => (Some("Cyrl".to_owned()), None),
            Some("euro") => (None, None),
            _ => (None, variant),
        };
        Locale {
            language: language.into(),
            script,
            country: country.map(str::to_owned),
            variant,
            encoding,
        }
    }

    fn of_environment(vm: &Vm, category: &str) -> Locale {
        let set = |name: &str| {
            let value = vm.host.env.var(name).unwrap_or_default();
            (!value.is_empty()).then(|| String::from_utf8_lossy(value).into_owned())
        };
        let name = set("LC_ALL")
            .or_else(|| set(category))
            .or_else(|| set("LANG"))
            .unwrap_or_default();
        Locale::parse(&name)
    }
}

fn encoding_name(encoding: &str) -> String {
    match encoding.to_ascii_lowercase().as_str() {
        "utf8" | "utf-8" => "UTF-8".into(),
        "iso88591" | "iso-8859-1" => "ISO-8859-1".into(),
        "iso885915" | "iso-8859-15" => "ISO-8859-15".into(),
        _ => encoding.to_ascii_uppercase(),
    }
}

/// Slots of the array by the name of their constant without `_` and `_NDX`.
fn platform_values(vm: &Vm) -> Vec<(&'static str, String)> {
    let format = Locale::of_environment(vm, "LC_CTYPE");
    let display = Locale::of_environment(vm, "LC_MESSAGES");
    let env = &vm.host.env;
    let encoding = format.encoding.clone();
    let mut values: Vec<(&'static str, String)> = vec![
        ("file_separator", "/".into()),
        ("path_separator", ":".into()),
        ("line_separator", "\n".into()),
        ("os_name", "Linux".into()),
        (
            "os_arch",
            if cfg!(target_arch = "aarch64") {
                "aarch64"
            } else {
                "amd64"
            }
            .into(),
        ),
        ("os_version", env.os_version.clone()),
        ("java_io_tmpdir", env.tmp_dir.clone()),
        ("user_name", env.user_name.clone()),
        ("user_home", env.user_home.clone()),
        ("user_dir", env.dir.clone()),
        ("sun_arch_data_model", "64".into()),
        ("sun_cpu_endian", "little".into()),
        ("sun_io_unicode_encoding", "UnicodeLittle".into()),
        ("sun_jnu_encoding", encoding.clone()),
        ("file_encoding", encoding.clone()),
        ("native_encoding", encoding),
        ("display_language", display.language),
        ("format_language", format.language),
    ];
    let optional = [
        ("display_country", display.country),
        ("format_country", format.country),
        ("display_script", display.script),
        ("format_script", format.script),
        ("display_variant", display.variant),
        ("format_variant", format.variant),
    ];
    values.extend(
        optional
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?))),
    );
    values
}

fn platform_properties(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.vm.boot_class(RAW)?;
    let length = int_constant(c.vm, class, "FIXED_LENGTH").ok_or_else(|| Stop::bug("no FIXED_LENGTH"))?;
    let mut strings = vec![ObjRef::NULL; length as usize];
    for (name, value) in platform_values(c.vm) {
        // Releases differ in which slots they have.
        if let Some(slot) = int_constant(c.vm, class, &format!("_{name}_NDX"))
            && let Some(at) = strings.get_mut(slot as usize)
        {
            *at = c.vm.new_string(&value)?;
        }
    }
    let array = c.vm.new_ref_array(c.vm.known.string, length)?;
    c.vm.heap.refs_mut(array).copy_from_slice(&strings);
    Ok(array.bits())
}

/// The ConstantValue of a static int field.
fn int_constant(vm: &Vm, class: poldet_vm::ids::ClassId, name: &str) -> Option<i32> {
    let file = vm.class(class).file?;
    let field = file
        .fields
        .iter()
        .find(|f| file.utf8(f.name) == Some(name.as_bytes()))?;
    let index = file.attr(field.attrs, "ConstantValue")?;
    let index = u16::from_be_bytes(index.try_into().ok()?);
    file.word(index).map(|v| v as i32)
}

fn vm_properties(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let pairs = vm_values(c.vm);
    let flat: Vec<String> = pairs.into_iter().flat_map(|(key, value)| [key, value]).collect();
    let array = c.vm.new_ref_array(c.vm.known.string, flat.len() as i32 + 1)?;
    for (at, text) in flat.iter().enumerate() {
        let text = c.vm.new_string(text)?;
        c.vm.heap.elem_put_ref(array, at as u32, text);
    }
    Ok(array.bits())
}

fn vm_values(vm: &Vm) -> Vec<(String, String)> {
    let home = vm.config.java_home.to_string_lossy().into_owned();
    let release = Release::read(&vm.config.java_home);
    let number = vm.config.jdk_release.to_string();
    let library_path = match vm.host.env.var("LD_LIBRARY_PATH") {
        Some(path) if !path.is_empty() => format!("{}:{DEFAULT_LIBRARY_PATH}", String::from_utf8_lossy(path)),
        _ => DEFAULT_LIBRARY_PATH.to_owned(),
    };
    let pairs = [
        ("java.home", home.clone()),
        ("java.class.path", vm.config.class_path.join(":")),
        ("java.library.path", library_path),
        ("sun.boot.library.path", format!("{home}/lib")),
        (
            "java.vm.specification.name",
            "Java Virtual Machine Specification".into(),
        ),
        ("java.vm.specification.vendor", "Oracle Corporation".into()),
        ("java.vm.specification.version", number),
        ("java.vm.name", "OpenJDK 64-Bit Server VM".into()),
        ("java.vm.version", release.vm_version),
        ("java.vm.vendor", release.vendor),
        ("java.vm.info", "mixed mode, sharing".into()),
        ("java.vm.compressedOopsMode", "Zero based".into()),
        ("jdk.debug", "release".into()),
        (
            "sun.management.compiler",
            "HotSpot 64-Bit Tiered Compilers".into(),
        ),
        ("sun.java.launcher", "SUN_STANDARD".into()),
        // There is no other process that could attach in the program's stead, as agents that install themselves do.
        ("jdk.attach.allowAttachSelf", "true".into()),
        ("sun.java.command", vm.config.command.clone()),
    ];
    let mut all: Vec<(String, String)> = pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
    all.extend(vm.config.module_options.iter().cloned());
    // Last, so that `-D` wins.
    all.extend(vm.config.properties.iter().cloned());
    all
}

#[cfg(target_arch = "x86_64")]
const DEFAULT_LIBRARY_PATH: &str = "/usr/java/packages/lib:/usr/lib/x86_64-linux-gnu/jni:/lib/x86_64-linux-gnu:\
                                    /usr/lib/x86_64-linux-gnu:/usr/lib/jni:/lib:/usr/lib";
#[cfg(not(target_arch = "x86_64"))]
const DEFAULT_LIBRARY_PATH: &str = "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib";

/// What a JDK's `release` file says of its VM.
struct Release {
    vm_version: String,
    vendor: String,
}

impl Release {
    fn read(java_home: &std::path::Path) -> Release {
        let text = std::fs::read_to_string(java_home.join("release")).unwrap_or_default();
        let value = |key: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
            Some(line.trim_matches('"').to_owned())
        };
        let vm_version = value("JVM_VERSION").or_else(|| value("JAVA_RUNTIME_VERSION"));
        Release {
            vm_version: vm_version.or_else(|| value("JAVA_VERSION")).unwrap_or_default(),
            vendor: value("IMPLEMENTOR").unwrap_or_else(|| "Oracle Corporation".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_as_the_c_library_names_them() {
        let us = Locale::parse("");
        assert_eq!((us.language.as_str(), us.country.as_deref()), ("en", Some("US")));
        assert_eq!(us.encoding, "ANSI_X3.4-1968");
        let c = Locale::parse("C.UTF-8");
        assert_eq!(
            (c.language.as_str(), c.country, c.encoding.as_str()),
            ("en", None, "UTF-8")
        );
        let de = Locale::parse("de_AT.utf8@euro");
        assert_eq!((de.language.as_str(), de.country.as_deref()), ("de", Some("AT")));
        assert_eq!((de.encoding.as_str(), de.variant), ("UTF-8", None));
        assert_eq!(Locale::parse("sr_RS@latin").script.as_deref(), Some("Latn"));
    }
}
