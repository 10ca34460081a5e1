//! The options about who the tests are run as: a fixed identity, the machine's, or a chosen one.

use clap::Args;
use poldet_vm::host::env::{HOST_NAME, Identity, LOCALE, TMP_DIR, USER, ZONE};
use poldet_vm::jdk::Jdk;

#[derive(Clone, Args)]
pub struct IdentityArgs {
    /// The tests' locale and encoding [default: en_US.UTF-8]
    #[arg(long, value_name = "LOCALE", help_heading = "Identity")]
    pub locale: Option<String>,

    /// The tests' time zone [default: UTC]
    #[arg(long, value_name = "ZONE", help_heading = "Identity")]
    pub zone: Option<String>,

    /// The tests' user name [default: user]
    #[arg(long, value_name = "NAME", help_heading = "Identity")]
    pub user: Option<String>,

    /// The tests' home folder; an empty one if there is none [default: /home/user]
    #[arg(long, value_name = "DIR", help_heading = "Identity")]
    pub home: Option<String>,

    /// The tests' folder for temporary files [default: /tmp]
    #[arg(long, value_name = "DIR", help_heading = "Identity")]
    pub tmp_dir: Option<String>,

    /// The tests' host name [default: localhost]
    #[arg(long, value_name = "NAME", help_heading = "Identity")]
    pub host_name: Option<String>,

    /// An environment variable for the tests; without a value, as it is now
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Identity")]
    pub env: Vec<String>,

    /// Take locale, zone, user, home, host name and environment of this machine: the report may differ on another one
    #[arg(long, help_heading = "Identity")]
    pub host_identity: bool,
}

impl IdentityArgs {
    /// Who the tests are run as. With the real files beneath, the home is the real one unless another is given.
    pub fn identity(&self, jdk: &Jdk, write_through: bool) -> Result<Identity, String> {
        self.check(jdk)?;
        let mut vars = Vec::new();
        if !self.host_identity {
            let home = jdk.home.display();
            let path = format!("{home}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
            vars.extend([
                ("JAVA_HOME".to_owned(), home.to_string()),
                ("PATH".to_owned(), path),
            ]);
        }
        for text in &self.env {
            vars.push(variable(text)?);
        }
        let real_home = || {
            (write_through && !self.host_identity)
                .then(|| std::env::var("HOME").ok())
                .flatten()
        };
        Ok(Identity {
            of_machine: self.host_identity,
            locale: self.locale.clone(),
            zone: self.zone.clone(),
            user: self.user.clone(),
            home: self.home.clone().or_else(real_home),
            tmp_dir: self.tmp_dir.clone(),
            host_name: self.host_name.clone(),
            vars,
        })
    }

    fn check(&self, jdk: &Jdk) -> Result<(), String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.@".contains(c);
        for (name, value) in [
            ("locale", &self.locale),
            ("user", &self.user),
            ("host-name", &self.host_name),
        ] {
            if let Some(value) = value
                && (value.is_empty() || !value.chars().all(plain))
            {
                return Err(format!(
                    "--{name} '{value}': letters, digits and _ - . @ are allowed"
                ));
            }
        }
        for (name, value) in [("home", &self.home), ("tmp-dir", &self.tmp_dir)] {
            if let Some(value) = value
                && (!value.starts_with('/') || value.contains(['\0', '\n', ':']))
            {
                return Err(format!(
                    "--{name} '{value}': give an absolute path without colons"
                ));
            }
        }
        match &self.zone {
            Some(zone) if !known_zone(zone, jdk) => Err(format!(
                "--zone '{zone}': the JDK knows no such time zone; give one as 'Europe/Berlin' or 'GMT+03:00'"
            )),
            _ => Ok(()),
        }
    }

    /// The same as words of a command line, but for what is as it is by default.
    pub fn words(&self) -> Vec<String> {
        let options = [
            ("locale", &self.locale, LOCALE),
            ("zone", &self.zone, ZONE),
            ("user", &self.user, USER),
            ("home", &self.home, ""),
            ("tmp-dir", &self.tmp_dir, TMP_DIR),
            ("host-name", &self.host_name, HOST_NAME),
        ];
        let mut words = Vec::new();
        for (name, value, default) in options {
            if let Some(value) = value
                && (value != default || self.host_identity)
            {
                words.extend([format!("--{name}"), value.clone()]);
            }
        }
        // With their values: the command is to do the same somewhere else.
        let vars = self.env.iter().filter_map(|text| variable(text).ok());
        words.extend(vars.flat_map(|(name, value)| ["--env".to_owned(), format!("{name}={value}")]));
        words.extend(self.host_identity.then(|| "--host-identity".to_owned()));
        words
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some(("", _)) => Err(format!("--env '{text}': a variable needs a name")),
        Some((name, value)) => Ok((name.into(), value.into())),
        None => match std::env::var(text) {
            Ok(value) => Ok((text.into(), value)),
            Err(_) => Err(format!(
                "--env '{text}': there is no such variable; give --env {text}=VALUE"
            )),
        },
    }
}

/// Is this a zone by name, or an offset as TimeZone takes it? Every zone, if the JDK's list cannot be read.
fn known_zone(zone: &str, jdk: &Jdk) -> bool {
    let offset = zone.strip_prefix("GMT").is_some_and(|rest| {
        rest.starts_with(['+', '-']) && rest[1..].chars().all(|c| c.is_ascii_digit() || c == ':')
    });
    // Abbreviations that the JDK still knows are not in its list.
    let short = zone.len() == 3 && zone.chars().all(|c| c.is_ascii_uppercase());
    if offset || short {
        return true;
    }
    let list = std::fs::read(jdk.home.join("lib/tzdb.dat")).ok();
    list.and_then(|bytes| zones(&bytes))
        .is_none_or(|zones| zones.iter().any(|z| z == zone))
}

/// The names in the JDK's `tzdb.dat`: after a mark and the versions, each text with its length before it.
fn zones(bytes: &[u8]) -> Option<Vec<String>> {
    let mut rest = bytes.strip_prefix(b"\x01")?;
    let mark = text(&mut rest)?;
    (mark == "TZDB").then_some(())?;
    texts(&mut rest)?;
    texts(&mut rest)
}

fn texts(rest: &mut &[u8]) -> Option<Vec<String>> {
    let count = number(rest)?;
    (0..count).map(|_| text(rest)).collect()
}

fn text(rest: &mut &[u8]) -> Option<String> {
    let length = number(rest)?;
    let (head, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(String::from_utf8_lossy(head).into_owned())
}

fn number(rest: &mut &[u8]) -> Option<usize> {
    let (head, tail) = rest.split_at_checked(2)?;
    *rest = tail;
    Some(usize::from(u16::from_be_bytes([head[0], head[1]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_names_of_zones() {
        let mut bytes = vec![1];
        let put = |bytes: &mut Vec<u8>, text: &str| {
            bytes.extend((text.len() as u16).to_be_bytes());
            bytes.extend(text.as_bytes());
        };
        put(&mut bytes, "TZDB");
        bytes.extend(1u16.to_be_bytes());
        put(&mut bytes, "2025a");
        bytes.extend(2u16.to_be_bytes());
        put(&mut bytes, "Asia/Tokyo");
        put(&mut bytes, "UTC");
        assert_eq!(
            zones(&bytes),
            Some(vec!["Asia/Tokyo".to_owned(), "UTC".to_owned()])
        );
        assert_eq!(zones(&bytes[..20]), None);
    }
}
