//! Who runs the program and where: environment variables, user, folders, host name.

use std::os::unix::ffi::{OsStrExt, OsStringExt};

#[derive(Clone, Debug)]
pub struct Env {
    /// Environment variables as the process got them, in order.
    pub vars: Vec<(Vec<u8>, Vec<u8>)>,
    pub user_name: String,
    pub user_home: String,
    /// The working folder; relative paths of the guest start here.
    pub dir: String,
    pub tmp_dir: String,
    pub host_name: String,
    /// `uname -r`.
    pub os_version: String,
}

/// One line of the password file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub name: Vec<u8>,
    pub id: u32,
    pub home: Vec<u8>,
}

impl Env {
    pub fn of_process() -> Env {
        let vars: Vec<(Vec<u8>, Vec<u8>)> = std::env::vars_os()
            .map(|(k, v)| (k.into_vec(), v.into_vec()))
            .collect();
        let account = accounts("/etc/passwd")
            .into_iter()
            .find(|a| a.id == crate::sys::uid());
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        // HotSpot writes a question mark for what the password file does not know.
        let (user_name, user_home) = account.map_or(("?".to_owned(), "?".to_owned()), |a| {
            (text(&a.name), text(&a.home))
        });
        let dir = std::env::current_dir().map_or("/".to_owned(), |d| text(d.as_os_str().as_bytes()));
        Env {
            vars,
            user_name,
            user_home,
            dir,
            tmp_dir: "/tmp".to_owned(),
            host_name: first_line("/proc/sys/kernel/hostname", "localhost"),
            os_version: first_line("/proc/sys/kernel/osrelease", "5.0"),
        }
    }

    pub fn var(&self, name: &str) -> Option<&[u8]> {
        self.vars
            .iter()
            .find(|(k, _)| k == name.as_bytes())
            .map(|(_, v)| v.as_slice())
    }
}

fn first_line(path: &str, otherwise: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    match text.lines().next() {
        Some(line) if !line.is_empty() => line.to_owned(),
        _ => otherwise.to_owned(),
    }
}

/// The entries of a file in the form of `/etc/passwd` (for `/etc/group` the home stays empty).
pub fn accounts(path: &str) -> Vec<Account> {
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
}
