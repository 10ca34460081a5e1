//! Who runs the program and where: environment variables, user, folders, host name.
//!
//! A suite sees a fixed identity, as it sees a fixed clock, so that its report is the same on every machine. A program
//! sees the machine's, as with `java`.

use crate::sys;
use serde::{Deserialize, Serialize};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Who the guest is to be. What is not said here is fixed, or the machine's.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Take the machine's where nothing is said here.
    pub of_machine: bool,
    /// As in LANG: `language_COUNTRY.encoding`.
    pub locale: Option<String>,
    pub zone: Option<String>,
    pub user: Option<String>,
    pub home: Option<String>,
    pub tmp_dir: Option<String>,
    pub host_name: Option<String>,
    /// More environment variables; later ones win.
    pub vars: Vec<(String, String)>,
}

impl Identity {
    pub fn of_machine() -> Identity {
        Identity {
            of_machine: true,
            ..Identity::fixed()
        }
    }

    pub fn fixed() -> Identity {
        Identity {
            of_machine: false,
            locale: None,
            zone: None,
            user: None,
            home: None,
            tmp_dir: None,
            host_name: None,
            vars: Vec::new(),
        }
    }
}

/// The fixed identity.
pub const LOCALE: &str = "en_US.UTF-8";
pub const ZONE: &str = "UTC";
pub const USER: &str = "user";
pub const HOME: &str = "/home/user";
pub const TMP_DIR: &str = "/tmp";
pub const HOST_NAME: &str = "localhost";
const OS_VERSION: &str = "6.1.0";
const ID: u32 = 1000;

/// Users and groups that every machine has.
const PASSWD: &str = "root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1:daemon:/usr/sbin:/bin/false\n\
    bin:x:2:2:bin:/bin:/bin/false\nsys:x:3:3:sys:/dev:/bin/false\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
const GROUP: &str = "root:x:0:\ndaemon:x:1:\nbin:x:2:\nsys:x:3:\nnogroup:x:65534:\n";

#[derive(Clone, Debug)]
pub struct Env {
    /// Environment variables as the process got them, in order; sorted when they are fixed.
    pub vars: Vec<(Vec<u8>, Vec<u8>)>,
    pub user_name: String,
    pub user_home: String,
    /// The working folder; relative paths of the guest start here.
    pub dir: String,
    pub tmp_dir: String,
    pub host_name: String,
    /// `uname -r`.
    pub os_version: String,
    pub uid: u32,
    pub gid: u32,
    pub groups: Vec<u32>,
    /// Users and groups of the guest, if they are not the machine's.
    accounts: Option<[Vec<Account>; 2]>,
}

/// One line of the password file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub name: Vec<u8>,
    pub id: u32,
    pub home: Vec<u8>,
}

/// Which numbers files have to the guest: what belongs to the user who runs it is the guest's own, the rest is root's.
#[derive(Clone, Copy, Debug)]
pub struct Owners {
    real: (u32, u32),
    guest: (u32, u32),
}

impl Owners {
    pub fn shown(self, uid: u32, gid: u32) -> (u32, u32) {
        let show = |id, real, guest| if id == real { guest } else { 0 };
        (
            show(uid, self.real.0, self.guest.0),
            show(gid, self.real.1, self.guest.1),
        )
    }

    pub fn real(self, uid: u32, gid: u32) -> (u32, u32) {
        let real = |id, real, guest| if id == guest { real } else { id };
        (
            real(uid, self.real.0, self.guest.0),
            real(gid, self.real.1, self.guest.1),
        )
    }
}

impl Env {
    /// The environment of this identity, in a working folder; in the process's own when none is given.
    pub fn new(identity: &Identity, dir: Option<String>) -> Env {
        let mut env = match identity.of_machine {
            true => Env::of_process(),
            false => Env::fixed(),
        };
        let given = dir.is_some();
        env.dir = dir.unwrap_or_else(current_dir);
        if given || !identity.of_machine {
            env.set("PWD", &env.dir.clone());
        }
        if let Some(locale) = &identity.locale {
            env.vars
                .retain(|(k, _)| !k.starts_with(b"LC_") && k != b"LANGUAGE");
            env.set("LANG", locale);
        }
        if let Some(zone) = &identity.zone {
            env.set("TZ", zone);
        }
        if let Some(user) = &identity.user {
            env.user_name.clone_from(user);
            env.set("USER", user);
            env.set("LOGNAME", user);
        }
        if let Some(home) = &identity.home {
            env.user_home.clone_from(home);
            env.set("HOME", home);
        }
        if let Some(dir) = &identity.tmp_dir {
            env.tmp_dir.clone_from(dir);
            env.set("TMPDIR", dir);
        }
        if let Some(name) = &identity.host_name {
            env.host_name.clone_from(name);
        }
        for (name, value) in &identity.vars {
            env.set(name, value);
        }
        if !identity.of_machine {
            let line = format!("{}:x:{ID}:{ID}::{}:/bin/sh\n", env.user_name, env.user_home);
            let files = [PASSWD, GROUP].map(|file| parse_accounts(format!("{line}{file}").as_bytes()));
            env.accounts = Some(files);
            env.vars.sort();
        }
        env
    }

    fn fixed() -> Env {
        let mut env = Env {
            vars: Vec::new(),
            user_name: USER.into(),
            user_home: HOME.into(),
            dir: String::new(),
            tmp_dir: TMP_DIR.into(),
            host_name: HOST_NAME.into(),
            os_version: OS_VERSION.into(),
            uid: ID,
            gid: ID,
            groups: vec![ID],
            accounts: None,
        };
        let vars = [
            ("HOME", HOME),
            ("LANG", LOCALE),
            ("LOGNAME", USER),
            ("SHELL", "/bin/sh"),
            ("TZ", ZONE),
            ("USER", USER),
        ];
        vars.into_iter().for_each(|(name, value)| env.set(name, value));
        env
    }

    fn of_process() -> Env {
        let vars: Vec<(Vec<u8>, Vec<u8>)> = std::env::vars_os()
            .map(|(k, v)| (k.into_vec(), v.into_vec()))
            .collect();
        let account = accounts("/etc/passwd").into_iter().find(|a| a.id == sys::uid());
        // HotSpot writes a question mark for what the password file does not know.
        let (user_name, user_home) = account.map_or(("?".to_owned(), "?".to_owned()), |a| {
            (text(&a.name), text(&a.home))
        });
        Env {
            vars,
            user_name,
            user_home,
            dir: String::new(),
            tmp_dir: TMP_DIR.to_owned(),
            host_name: first_line("/proc/sys/kernel/hostname", "localhost"),
            os_version: first_line("/proc/sys/kernel/osrelease", "5.0"),
            uid: sys::uid(),
            gid: sys::gid(),
            groups: sys::groups(),
            accounts: None,
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        let pair = (name.as_bytes().to_vec(), value.as_bytes().to_vec());
        match self.vars.iter_mut().find(|(k, _)| *k == pair.0) {
            Some(there) => *there = pair,
            None => self.vars.push(pair),
        }
    }

    pub fn var(&self, name: &str) -> Option<&[u8]> {
        self.vars
            .iter()
            .find(|(k, _)| k == name.as_bytes())
            .map(|(_, v)| v.as_slice())
    }

    pub fn users(&self) -> Vec<Account> {
        match &self.accounts {
            Some([users, _]) => users.clone(),
            None => accounts("/etc/passwd"),
        }
    }

    pub fn groups(&self) -> Vec<Account> {
        match &self.accounts {
            Some([_, groups]) => groups.clone(),
            None => accounts("/etc/group"),
        }
    }

    /// How the numbers of files' owners are shown, if not as they are.
    pub fn owners(&self) -> Option<Owners> {
        self.accounts.as_ref().map(|_| Owners {
            real: (sys::uid(), sys::gid()),
            guest: (self.uid, self.gid),
        })
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn current_dir() -> String {
    std::env::current_dir().map_or("/".to_owned(), |d| text(d.as_os_str().as_bytes()))
}

fn first_line(path: &str, otherwise: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    match text.lines().next() {
        Some(line) if !line.is_empty() => line.to_owned(),
        _ => otherwise.to_owned(),
    }
}

/// The entries of a file in the form of `/etc/passwd` (for `/etc/group` the home stays empty).
fn accounts(path: &str) -> Vec<Account> {
    parse_accounts(&std::fs::read(path).unwrap_or_default())
}

fn parse_accounts(text: &[u8]) -> Vec<Account> {
    let entry = |line: &[u8]| {
        let parts: Vec<&[u8]> = line.split(|b| *b == b':').collect();
        let id = std::str::from_utf8(parts.get(2)?).ok()?.parse().ok()?;
        Some(Account {
            name: parts[0].to_vec(),
            id,
            home: parts.get(5).map_or(Vec::new(), |h| h.to_vec()),
        })
    };
    text.split(|b| *b == b'\n').filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accounts_and_passes_over_bad_lines() {
        let found =
            parse_accounts(b"root:x:0:0:root:/root:/bin/sh\n\n# no\nu:x:7:7::/home/u:/bin/sh\nbad:x:y:\n");
        assert_eq!(found.len(), 2);
        assert_eq!(
            found[1],
            Account {
                name: b"u".to_vec(),
                id: 7,
                home: b"/home/u".to_vec()
            }
        );
    }

    #[test]
    fn a_fixed_identity_has_nothing_of_the_machine() {
        let identity = Identity {
            zone: Some("Asia/Tokyo".into()),
            vars: vec![("A".into(), "1".into()), ("A".into(), "2".into())],
            ..Identity::fixed()
        };
        let env = Env::new(&identity, Some("/work".into()));
        let shown: Vec<String> = env
            .vars
            .iter()
            .map(|(k, v)| format!("{}={}", text(k), text(v)))
            .collect();
        assert_eq!(
            shown.join(" "),
            "A=2 HOME=/home/user LANG=en_US.UTF-8 LOGNAME=user PWD=/work SHELL=/bin/sh TZ=Asia/Tokyo USER=user"
        );
        let users = env.users();
        assert_eq!(
            users.iter().find(|a| a.id == env.uid).map(|a| text(&a.name)),
            Some("user".into())
        );
        let owners = env.owners().unwrap();
        assert_eq!(owners.shown(sys::uid(), sys::gid()), (1000, 1000));
        assert_eq!(owners.real(1000, u32::MAX), (sys::uid(), u32::MAX));
    }
}
