//! Natives of sun.tools.attach: a program that attaches to its own VM, as agents that install themselves do. The
//! socket leads to the VM itself, which speaks HotSpot's protocol: a version, a command and three arguments, each ended
//! by a zero byte; the answer is a number on a line of its own and what the command says.

use crate::{Native, instead, native};
use poldet_vm::host::PID;
use poldet_vm::instrument::Talk;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::outside::nothing;
use poldet_vm::stop::Stop;

const MACHINE: &str = "sun/tools/attach/VirtualMachineImpl";
/// Numbers of the sockets, out of the way of files.
const FIRST: i32 = 1 << 20;

pub const TABLE: &[Native] = &[
    instead(MACHINE, "getNamespacePid", "(I)I", namespace_pid),
    native(MACHINE, "sendQuitTo", "(I)V", send_quit),
    native(MACHINE, "checkPermissions", "(Ljava/lang/String;)V", nothing),
    native(MACHINE, "socket", "()I", socket),
    native(MACHINE, "connect", "(ILjava/lang/String;)V", nothing),
    native(MACHINE, "close", "(I)V", close),
    native(MACHINE, "read", "(I[BII)I", read),
    native(MACHINE, "write", "(I[BII)V", write),
];

/// Our own number is not to be looked up in /proc, where it is someone else's.
fn namespace_pid(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    Ok(int(c.int(1)))
}

fn send_quit(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    if i64::from(c.int(0)) == PID {
        return Ok(0);
    }
    Err(c.io_exception("No such process"))
}

fn socket(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let talks = &mut c.vm.instrument.talks;
    let fd = talks.last().map_or(FIRST, |t| t.fd + 1);
    talks.push(Talk {
        fd,
        ..Talk::default()
    });
    Ok(int(fd))
}

fn find(c: &mut Ctx<'_>, fd: i32) -> Result<usize, Stop> {
    match c.vm.instrument.talks.iter().position(|t| t.fd == fd) {
        Some(at) => Ok(at),
        None => Err(c.io_exception("Bad file descriptor")),
    }
}

fn close(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let at = find(c, c.int(0))?;
    c.vm.instrument.talks.remove(at);
    Ok(0)
}

fn write(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, off, len) = (c.non_null(1)?, c.int(2), c.int(3));
    let at = find(c, c.int(0))?;
    if c.in_bounds(array, off, len) {
        let bytes = c.vm.heap.load_bytes(array)[off as usize..][..len as usize].to_vec();
        c.vm.instrument.talks[at].request.extend(bytes);
    }
    Ok(0)
}

fn read(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (array, off, len) = (c.non_null(1)?, c.int(2), c.int(3));
    let at = find(c, c.int(0))?;
    if c.vm.instrument.talks[at].answer.is_none() {
        let request = c.vm.instrument.talks[at].request.clone();
        let answer = obey(c, &request)?;
        // Others may have come and gone while the command ran.
        let at = find(c, c.int(0))?;
        c.vm.instrument.talks[at].answer = Some(answer);
    }
    let at = find(c, c.int(0))?;
    let talk = &mut c.vm.instrument.talks[at];
    let answer = talk.answer.as_deref().unwrap_or(&[]);
    let n = (len.max(0) as usize).min(answer.len() - talk.read);
    let part = answer[talk.read..][..n].to_vec();
    talk.read += n;
    if n == 0 || !c.in_bounds(array, off, len) {
        return Ok(int(-1));
    }
    c.vm.heap.bytes_mut(array)[off as usize..][..n].copy_from_slice(&part);
    Ok(int(n as i32))
}

/// Carries out a command.
fn obey(c: &mut Ctx<'_>, request: &[u8]) -> Result<Vec<u8>, Stop> {
    let words: Vec<String> = request
        .split(|b| *b == 0)
        .map(|w| String::from_utf8_lossy(w).into_owned())
        .collect();
    let word = |i: usize| words.get(i).map_or("", String::as_str);
    match (word(1), word(2)) {
        ("load", "instrument") => {
            let code = c.vm.load_agent(word(4))?;
            Ok(format!("0\nreturn code: {code}\n").into_bytes())
        }
        ("load", library) => Ok(format!("0\n{library} was not loaded.\n").into_bytes()),
        // Newer releases ask which protocol the VM speaks: the first.
        ("getversion", _) => Ok(b"0\n1\n".to_vec()),
        (command, _) => Err(Stop::unsupported(format!("attach command {command}"))),
    }
}
