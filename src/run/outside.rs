//! From the options about what lies outside of a suite to what a worker needs to know.

use crate::cli::{OutsideArgs, Run};
use crate::run::suite::Suite;
use poldet_records::{FaultKind, Network, NetworkFault, NetworkMode, SanitiseOptions, TestAssumption};
use poldet_vm::classfile::ClassFile;
use poldet_vm::jdk::Jdk;
use poldet_vm::jimage::JImage;
use std::path::Path;

/// The network that the tests see.
pub fn network(args: &OutsideArgs) -> Result<Network, String> {
    let modes = [NetworkMode::Closed, NetworkMode::Loopback, NetworkMode::Host];
    let mode = modes.into_iter().find(|m| m.text() == args.network);
    let mode = mode.ok_or_else(|| {
        format!(
            "--network '{}' is unknown: give closed, loopback or host",
            args.network
        )
    })?;
    let faults = args.network_fault.iter().map(|text| fault(text));
    Ok(Network {
        mode,
        faults: faults.collect::<Result<_, _>>()?,
    })
}

fn fault(text: &str) -> Result<NetworkFault, String> {
    let (word, host) = match text.split_once(':') {
        Some((word, host)) => (word, Some(host.to_owned())),
        None => (text, None),
    };
    let kind = FaultKind::ALL.into_iter().find(|k| k.text() == word);
    match (kind, &host) {
        (Some(_), Some(host)) if host.is_empty() => {
            Err(format!("--network-fault '{text}' names no host after the colon"))
        }
        (Some(kind), _) => Ok(NetworkFault { kind, host }),
        (None, _) => Err(format!(
            "--network-fault '{text}' is unknown: give refuse, reset, timeout or unknown-host, with :HOST for one host"
        )),
    }
}

/// What failures are put down to; nothing when they are not.
pub fn sanitise(options: &Run, suite: &Suite, jdk: &Jdk) -> Result<Option<SanitiseOptions>, String> {
    let args = &options.outside;
    let mut assumptions = Vec::new();
    for word in &args.sanitise {
        let known = TestAssumption::ALL.into_iter().find(|a| a.text() == word);
        let assumption = known.ok_or_else(|| {
            let all = TestAssumption::ALL.map(TestAssumption::text).join(", ");
            format!("--sanitise '{word}' is unknown: give one or more of {all}")
        })?;
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    assumptions.sort();
    if !args.sanitise_exceptions.is_empty() && !assumptions.contains(&TestAssumption::Network) {
        return Err("--sanitise-exceptions needs --sanitise network".into());
    }
    let mut exceptions = Vec::new();
    for file in &args.sanitise_exceptions {
        exceptions.extend(read_exceptions(file, suite, jdk)?);
    }
    Ok((!assumptions.is_empty()).then(|| SanitiseOptions {
        assumptions,
        exceptions,
        inside: inside(options, suite, jdk),
    }))
}

/// Folders and files that a suite may expect to be there.
fn inside(options: &Run, suite: &Suite, jdk: &Jdk) -> Vec<String> {
    let entries = suite.entries().map(|e| Path::new(&e.path).to_owned());
    let folders = [options.conditions.basedir.clone(), options.conditions.dir.clone()];
    let all = entries
        .chain(folders.into_iter().flatten())
        .chain([std::env::temp_dir(), jdk.home.clone()]);
    let absolute = all.filter_map(|path| std::path::absolute(path).ok());
    absolute.map(|path| path.display().to_string()).collect()
}

/// The exceptions that a file names, one a line; `#` begins a comment.
fn read_exceptions(file: &Path, suite: &Suite, jdk: &Jdk) -> Result<Vec<String>, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file)
        .map_err(|e| format!("cannot read --sanitise-exceptions '{shown}': {e}"))?;
    let image = JImage::open(&jdk.modules())?;
    let mut names = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let name = line.split('#').next().unwrap_or_default().trim();
        if name.is_empty() {
            continue;
        }
        let wrong = |why: &str| format!("'{shown}' line {}: '{name}' {why}", number + 1);
        match is_exception(name, suite, &image) {
            Some(true) => names.push(name.to_owned()),
            Some(false) => {
                return Err(wrong(
                    "is no exception: its superclasses do not lead to java.lang.Throwable",
                ));
            }
            None => return Err(wrong("is neither in the suite nor in the JDK")),
        }
    }
    Ok(names)
}

/// Whether a class extends Throwable; None when there is no such class.
fn is_exception(name: &str, suite: &Suite, image: &JImage) -> Option<bool> {
    let mut class = name.replace('.', "/");
    let mut bytes = class_bytes(&class, suite, image)?;
    for _ in 0..1000 {
        if class == "java/lang/Throwable" {
            return Some(true);
        }
        // Read once, before a run: leaking it is simpler than a parser that borrows.
        let file = ClassFile::parse(Box::leak(bytes.into_boxed_slice())).ok()?;
        let Some(parent) = file.super_name() else {
            return Some(false);
        };
        class = String::from_utf8_lossy(parent).into_owned();
        let Some(next) = class_bytes(&class, suite, image) else {
            return Some(false);
        };
        bytes = next;
    }
    Some(false)
}

fn class_bytes(class: &str, suite: &Suite, image: &JImage) -> Option<Vec<u8>> {
    let file = format!("{class}.class");
    if let Some(found) = suite.entries().find_map(|e| e.read(&file)) {
        return Some(found.into_owned());
    }
    let (package, _) = class.rsplit_once('/')?;
    let module = image.package_to_module(package)?;
    image.find(module, &file).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_a_host_or_none() {
        assert_eq!(
            fault("reset:db.local").map(|f| f.text()),
            Ok("reset:db.local".into())
        );
        assert_eq!(fault("unknown-host").map(|f| f.host), Ok(None));
        assert!(fault("explode").is_err_and(|e| e.contains("'explode'")));
        assert!(fault("refuse:").is_err());
    }

    #[test]
    fn an_unknown_reach_is_named() {
        let args = OutsideArgs {
            network: "moon".into(),
            ..OutsideArgs::default()
        };
        assert!(network(&args).is_err_and(|e| e.contains("'moon'") && e.contains("loopback")));
    }
}
