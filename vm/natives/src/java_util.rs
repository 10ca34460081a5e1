//! Small natives of java.util and of object serialization.

use crate::java_lang::nothing;
use crate::{Native, native};
use poldet_vm::natives::ctx::{Ctx, boolean};
use poldet_vm::stop::Stop;
use std::path::Path;

pub const TABLE: &[Native] = &[
    native(
        "java/util/TimeZone",
        "getSystemTimeZoneID",
        "(Ljava/lang/String;)Ljava/lang/String;",
        time_zone,
    ),
    native(
        "java/util/TimeZone",
        "getSystemGMTOffsetID",
        "()Ljava/lang/String;",
        gmt_offset,
    ),
    native("java/io/ObjectStreamClass", "initNative", "()V", nothing).leaf(),
    native(
        "java/io/ObjectStreamClass",
        "hasStaticInitializer",
        "(Ljava/lang/Class;)Z",
        has_static_initializer,
    )
    .leaf(),
];

/// The system's zone: the TZ variable, else what /etc/timezone or /etc/localtime says; null if neither does.
fn time_zone(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let variable =
        c.vm.host
            .env
            .var("TZ")
            .map(|v| String::from_utf8_lossy(v).into_owned());
    let zone = match variable.filter(|v| !v.is_empty()) {
        Some(tz) => Some(tz.trim_start_matches(':').trim_start_matches("posix/").to_owned()),
        None => zone_of_system(),
    };
    match zone {
        Some(zone) => Ok(c.vm.new_string(&zone)?.bits()),
        None => Ok(0),
    }
}

fn zone_of_system() -> Option<String> {
    if let Ok(target) = std::fs::read_link("/etc/localtime") {
        let target = target.to_string_lossy().into_owned();
        if let Some((_, zone)) = target.split_once("zoneinfo/") {
            return Some(zone.to_owned());
        }
    }
    let wanted = std::fs::read("/etc/localtime").ok()?;
    same_file(Path::new("/usr/share/zoneinfo"), "", &wanted)
}

/// The first file of the zone database, in order of names, with this content.
fn same_file(folder: &Path, prefix: &str, wanted: &[u8]) -> Option<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter_map(|e| e.file_name().into_string().ok())
        .collect();
    names.sort();
    for name in names {
        let path = folder.join(&name);
        if matches!(name.as_str(), "ROC" | "posixrules" | "localtime") || name.starts_with('.') {
            continue;
        }
        let zone = if prefix.is_empty() {
            name
        } else {
            format!("{prefix}/{name}")
        };
        let found = if path.is_dir() {
            same_file(&path, &zone, wanted)
        } else {
            std::fs::read(&path)
                .ok()
                .filter(|content| content == wanted)
                .map(|_| zone)
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Only asked for when there is no zone by name.
fn gmt_offset(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(c.vm.new_string("GMT")?.bits())
}

fn has_static_initializer(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.class(0)?;
    Ok(boolean(c.vm.class(class).clinit.is_some()))
}
