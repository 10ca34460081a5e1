//! Requests to a process that holds a VM, and its replies. A process and the supervisor share one socket: requests go
//! one way, events and replies the other. A request to fork carries the socket of the child.

use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use poldet_junit_shim::driver::{Kept, Step};
use poldet_records::{Event, Places};
use poldet_vm::switches::Switch;
use poldet_vm::warm::{Ran, RanMethod};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{IoSlice, IoSliceMut, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// What a process is asked to do while it holds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    Fork {
        fork: Box<Fork>,
        /// Children that have ended and are waited for first, as `Reap` does.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ended: Vec<i32>,
    },
    /// From now on reads are logged, or no longer; forks that log accesses report those of these places.
    LogReads { asked: Option<Asked> },
    /// Loads classes and makes their code ready, so that children find them so.
    Load { learnt: Learnt },
    /// Waits for a child's end, after killing it and all it started if asked to.
    Reap { pid: i32, kill: bool },
}

/// Places of which tests report whether they read them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    pub places: Places,
    /// As tests of a class see them, by the number of the class.
    #[serde(with = "pairs")]
    pub inside: BTreeMap<usize, Places>,
}

/// Maps whose keys are numbers as lists: as keys of an object they would be texts, which a tagged request cannot turn back.
mod pairs {
    use poldet_records::Places;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::collections::BTreeMap;

    pub fn serialize<S: Serializer>(map: &BTreeMap<usize, Places>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<usize, Places>, D::Error> {
        let pairs = Vec::<(usize, Places)>::deserialize(from)?;
        Ok(pairs.into_iter().collect())
    }
}

/// What of the asked places counts as tests of a class see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AskedInside {
    Nothing,
    /// What is asked of this class.
    Of(usize),
}

/// What a process was seen to need, which others will need, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learnt {
    pub classes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<RanClass>,
}

/// A class, and of each method that ran its number, whether it was compiled, and the ops that were not resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RanClass(String, Vec<(u16, bool, Vec<u32>)>);

impl From<Ran> for RanClass {
    fn from(ran: Ran) -> RanClass {
        let methods = ran.methods.into_iter();
        RanClass(ran.class, methods.map(|m| (m.slot, m.compiled, m.left)).collect())
    }
}

impl From<RanClass> for Ran {
    fn from(RanClass(class, methods): RanClass) -> Ran {
        let method = |(slot, compiled, left)| RanMethod { slot, left, compiled };
        Ran {
            class,
            methods: methods.into_iter().map(method).collect(),
        }
    }
}

/// What a forked child is to run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fork {
    /// Tells the child's events from those of others.
    pub number: u32,
    pub steps: Vec<Step>,
    /// More tests of the class that is open: it has been discovered, or is being run.
    pub chosen: Option<Vec<String>>,
    pub hold: Hold,
    /// An empty folder for the child's overlay.
    pub overlay: Option<String>,
    /// Keep what one of the tests changes.
    pub undo: Option<Undo>,
    /// Report who reads what that test changed.
    #[serde(default)]
    pub watch: Option<Watch>,
    /// Report at the end what was loaded and run.
    pub learn: bool,
    /// End after a group of so many tests that leaves the shared state changed.
    pub until_change: Option<u32>,
    /// Report the first such group, and go on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notes_change: bool,
    /// So many tests come before the first group.
    #[serde(default)]
    pub before_groups: u32,
    /// Log what is read and changed from here on, and report it at the end.
    #[serde(default)]
    pub access: bool,
    /// With what changed places hold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub values: bool,
    /// Note what reaches assertions; reported with the accesses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asserts: bool,
    /// With reads as tests of the class that is opened see them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_inside: Option<AskedInside>,
    /// With the accesses of each of several tests, told apart.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each: bool,
    /// Virtual time that a test may take, if less than in the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_nanos: Option<u64>,
    /// Let each test start with another schedule, other entropy and in another part of a second, from this variation on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vary: Option<u64>,
    /// Another seed than that of the parent: for the schedule, entropy, identity hashes and the part of a second, from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Code that does not run in the child, nor in its children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub off: Vec<Off>,
    /// Classes that are other ones in the child: internal names, and files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redefine: Vec<(String, String)>,
}

/// Ranges of a method's code that do not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Off {
    pub class: String,
    pub method: String,
    pub desc: String,
    /// Length of the method's code.
    pub length: u32,
    pub ranges: Vec<(u16, u16)>,
}

impl From<Switch> for Off {
    fn from(switch: Switch) -> Off {
        let Switch {
            class,
            method,
            desc,
            length,
            ranges,
        } = switch;
        Off {
            class,
            method,
            desc,
            length,
            ranges,
        }
    }
}

impl From<Off> for Switch {
    fn from(off: Off) -> Switch {
        let Off {
            class,
            method,
            desc,
            length,
            ranges,
        } = off;
        Switch {
            class,
            method,
            desc,
            length,
            ranges,
        }
    }
}

/// What becomes of the changes of one test, or of what runs around it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Undo {
    /// How many tests end before it.
    pub after: u32,
    #[serde(default)]
    pub of: Kept,
    /// The changes that are put back when it has ended, by number.
    pub put_back: Vec<usize>,
    /// An empty folder for the files as they were.
    pub folder: String,
}

impl Undo {
    /// Whether what comes when so many tests have ended is what is to be kept.
    pub fn is_next(&self, of: Kept, ended: u32) -> bool {
        let end = match of {
            Kept::Before | Kept::Test => self.after,
            Kept::ClassEnd => self.after + 1,
        };
        self.of == of && ended == end
    }
}

/// Whose reads of the changes of a test are looked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Watch {
    /// The changes, by number.
    pub units: Vec<usize>,
    /// How many tests end before the one that reads, counted as `Undo::after` is. What comes between the test before it and
    /// its own end counts as its reading: class fixtures, too.
    pub reader: u32,
}

/// Where a process stops and waits for requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// Nowhere: it ends after its last step.
    #[default]
    Never,
    /// When its steps are done.
    AfterSteps,
    /// When the tests of its last step's class are known, before any of them runs.
    AfterDiscovery,
    /// When the tests of its last step have run, and before its class ends; without tests, when the fixtures of the class have
    /// run. A class whose JUnit does not ask for tests one by one, or whose fixtures fail, comes to its end without a hold.
    AfterTests,
}

/// What a process answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// It waits for requests.
    Holding,
    /// It ended after a group of tests that left the shared state changed.
    Stopped,
    /// It ended between two of its steps: the fixtures of the one before left the shared state changed.
    StoppedBetween,
    Forked {
        pid: i32,
    },
    /// What was loaded and run since the fork.
    Loaded {
        learnt: Learnt,
    },
    /// It cannot fork as it is, or the system would not let it.
    Refused {
        why: String,
    },
    /// The system has no memory or no process for a fork just now.
    NoRoom {
        why: String,
    },
    /// How a child ended, as the system says it.
    Reaped {
        status: String,
    },
}

/// Whatever comes from a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    Reply(Reply),
    Event(Box<Event>),
}

/// One line of JSON.
pub fn send(mut socket: &UnixStream, message: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    socket.write_all(&line)
}

/// A request, with a descriptor where it needs one.
pub fn send_request(socket: &UnixStream, request: &Request, with: Option<RawFd>) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    let fds: Vec<RawFd> = with.into_iter().collect();
    let control: &[ControlMessage<'_>] = &[ControlMessage::ScmRights(&fds)];
    let control = if fds.is_empty() { &[] } else { control };
    let parts = [IoSlice::new(&line)];
    let sent = sendmsg::<()>(socket.as_raw_fd(), &parts, control, MsgFlags::MSG_NOSIGNAL, None)?;
    // The descriptor goes with the first bytes; the rest may have to wait.
    let mut rest = socket;
    rest.write_all(&line[sent..])
}

/// Waits for the next request; none when the supervisor is gone.
pub fn receive_request(socket: &UnixStream) -> std::io::Result<Option<(Request, Option<OwnedFd>)>> {
    let mut line = Vec::new();
    let mut received = None;
    while line.last() != Some(&b'\n') {
        let mut chunk = [0; 16 << 10];
        let mut parts = [IoSliceMut::new(&mut chunk)];
        let mut space = nix::cmsg_space!([RawFd; 1]);
        let flags = MsgFlags::MSG_CMSG_CLOEXEC;
        let message = recvmsg::<()>(socket.as_raw_fd(), &mut parts, Some(&mut space), flags)?;
        for control in message.cmsgs()? {
            if let ControlMessageOwned::ScmRights(fds) = control {
                received = fds.first().copied();
            }
        }
        let count = message.bytes;
        if count == 0 {
            return Ok(None);
        }
        line.extend_from_slice(&chunk[..count]);
    }
    let request = serde_json::from_slice(&line)?;
    Ok(Some((request, received.map(own))))
}

#[expect(unsafe_code, reason = "a descriptor that came over a socket is a number")]
fn own(fd: RawFd) -> OwnedFd {
    // SAFETY: the kernel has just made this descriptor for us, and nobody else knows it.
    unsafe { OwnedFd::from_raw_fd(fd) }
}
