//! Landlock: where there are no mounts of its own, a worker can write only where it may; in any case it cannot connect to
//! what is outside or send signals there.

use crate::sandbox::{Entered, Sandbox};
use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

/// Devices that may be written to.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

pub fn enter(sandbox: &Sandbox, entered: &mut Entered) {
    // A domain that has a say in files cannot mount, which processes of tests need to see their test's files.
    let files = !entered.mounts && !sandbox.write_through;
    let version = match restrict(sandbox, files) {
        Ok(version) => version,
        Err(why) => return entered.missing.push(format!("Landlock ({why})")),
    };
    if files && version < 3 {
        let what = "processes that tests start can change files";
        entered.missing.push(lacking(version, 3, what));
    }
    if !entered.processes && version < 6 {
        let what = "processes that tests start can send signals to others";
        entered.missing.push(lacking(version, 6, what));
    }
}

fn lacking(version: i32, needed: i32, what: &str) -> String {
    let found = match version {
        0 => "not in this kernel".to_owned(),
        version => format!("version {version}, {needed} is needed"),
    };
    format!("Landlock ({found}): {what}")
}

/// Restricts this process; the answer is the version of the kernel's interface, 0 for none.
fn restrict(sandbox: &Sandbox, files: bool) -> Result<i32, RulesetError> {
    // The rights of the newest interface; the kernel enforces those it knows.
    let abi = ABI::V6;
    let writes = AccessFs::from_write(abi);
    let mut ruleset = Ruleset::default().scope(Scope::from_all(abi))?;
    if !sandbox.network {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi))?;
    }
    if files {
        ruleset = ruleset.handle_access(writes)?;
    }
    let mut ruleset = ruleset.create()?;
    if files {
        for folder in &sandbox.writable {
            if let Ok(folder) = PathFd::new(folder) {
                ruleset = ruleset.add_rule(PathBeneath::new(folder, writes))?;
            }
        }
        let device = AccessFs::WriteFile | AccessFs::Truncate;
        for file in DEVICES {
            if let Ok(file) = PathFd::new(file) {
                ruleset = ruleset.add_rule(PathBeneath::new(file, device))?;
            }
        }
    }
    Ok(match ruleset.restrict_self()?.landlock {
        LandlockStatus::Available { effective_abi, .. } => effective_abi as i32,
        _ => 0,
    })
}
