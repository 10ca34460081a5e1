//! System calls that neither the VM nor a program of a test needs: they fail with EPERM.

use crate::sandbox::{Entered, Sandbox};
use nix::libc::{self, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};
use std::collections::BTreeMap;

/// Other processes' memory, the kernel itself, the machine's clock and name, keys, and interfaces through which sandboxes
/// were left before.
const REFUSED: &[c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
];

/// What a worker needs to give a process the files of its test, and nobody else.
const MOUNTING: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
];

/// Never needed, not even for that.
const MOUNTING_OTHERWISE: &[c_long] = &[
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
];

/// Calls of the x32 interface have this bit set.
#[cfg(target_arch = "x86_64")]
const X32: c_long = 0x4000_0000;

pub fn enter(sandbox: &Sandbox, entered: &mut Entered) {
    let mut filters = vec![refuse(REFUSED, libc::EPERM)];
    filters.push(refuse(
        if entered.mounts {
            MOUNTING_OTHERWISE
        } else {
            MOUNTING
        },
        libc::EPERM,
    ));
    filters.push(sockets(entered.processes || sandbox.network));
    for filter in filters {
        let applied = filter.and_then(|f| apply_filter(&f).map_err(|e| e.to_string()));
        if let Err(why) = applied {
            entered.missing.push(format!(
                "seccomp ({why}): system calls that no test needs are possible"
            ));
            return;
        }
    }
    entered.filters = true;
}

/// In a program of a test: no new namespaces and no mounts.
pub fn confine_program() -> std::io::Result<()> {
    let failed = |why: String| std::io::Error::other(why);
    let programs = [
        refuse(MOUNTING, libc::EPERM),
        new_namespaces(),
        // Its flags cannot be seen; the C library then takes clone.
        refuse(&[libc::SYS_clone3], libc::ENOSYS),
    ];
    for program in programs {
        apply_filter(&program.map_err(failed)?).map_err(|e| failed(e.to_string()))?;
    }
    Ok(())
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn compile(rules: Rules, errno: i32) -> Result<BpfProgram, String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let refused = SeccompAction::Errno(errno as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch).map_err(|e| e.to_string())?;
    filter
        .try_into()
        .map_err(|e: seccompiler::BackendError| e.to_string())
}

fn refuse(calls: &[c_long], errno: i32) -> Result<BpfProgram, String> {
    let mut rules = Rules::new();
    for call in calls {
        rules.insert(*call, Vec::new());
        #[cfg(target_arch = "x86_64")]
        rules.insert(*call | X32, Vec::new());
    }
    compile(rules, errno)
}

fn when(argument: u8, op: SeccompCmpOp, value: i32) -> Result<SeccompCondition, String> {
    let value = u64::from(value.cast_unsigned());
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, value).map_err(|e| e.to_string())
}

/// Sockets lead out of a sandbox: by paths and by name in the machine's network. Those of the Internet may be made where they
/// lead nowhere, in a network namespace, or where real servers may be reached. Pairs of sockets are no matter.
fn sockets(internet: bool) -> Result<BpfProgram, String> {
    let mut rules = Rules::new();
    let mut conditions = Vec::new();
    if internet {
        conditions.push(when(0, SeccompCmpOp::Ne, libc::AF_INET)?);
        conditions.push(when(0, SeccompCmpOp::Ne, libc::AF_INET6)?);
    }
    let rule = match conditions.is_empty() {
        true => Vec::new(),
        false => vec![SeccompRule::new(conditions).map_err(|e| e.to_string())?],
    };
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_socket | X32, Vec::new());
    rules.insert(libc::SYS_socket, rule);
    compile(rules, libc::EACCES)
}

fn new_namespaces() -> Result<BpfProgram, String> {
    let flags = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let rule = |flag: i32| {
        let mask = u64::from(flag.cast_unsigned());
        let condition = when(0, SeccompCmpOp::MaskedEq(mask), flag)?;
        SeccompRule::new(vec![condition]).map_err(|e| e.to_string())
    };
    let rules = flags.into_iter().map(rule).collect::<Result<Vec<_>, String>>()?;
    compile(Rules::from([(libc::SYS_clone, rules)]), libc::EPERM)
}
