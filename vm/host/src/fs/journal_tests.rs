//! What the journal reports of files, with the overlay and without it.

use super::tests::{Scratch, layered, write};
use super::*;
use crate::journal::Became;

/// What the journal tells, as `+name`, `~name` and `-name`; folders end with a slash.
fn reported(fs: &mut Fs) -> Vec<String> {
    let cwd = fs.realpath(fs.cwd()).unwrap();
    let changes = fs.take_changes();
    let text = |c: &FileChange| {
        let sign = match c.became {
            Became::Created => '+',
            Became::Changed => '~',
            Became::Removed => '-',
        };
        let name = String::from_utf8_lossy(&c.path[cwd.len() + 1..]);
        format!("{sign}{name}{}", if c.folder { "/" } else { "" })
    };
    changes.iter().map(text).collect()
}

/// With the overlay and without it.
fn journals(name: &str) -> [(Scratch, Fs); 2] {
    let (kept, mut with) = layered(name);
    let (through, mut without) = layered(&format!("{name}-through"));
    without.overlay = None;
    with.keep_journal(Tracer::default());
    without.keep_journal(Tracer::default());
    [(kept, with), (through, without)]
}

#[test]
fn the_journal_tells_what_became_of_files() {
    for (_scratch, mut fs) in journals("journal") {
        write(&mut fs, b"real/a", b"new");
        write(&mut fs, b"real/new", b"x");
        fs.unlink(b"real/to/c").unwrap();
        fs.mkdir(b"real/folder/", 0o777).unwrap();
        fs.symlink(b"nowhere", b"real/link").unwrap();
        fs.link(b"real/b", b"real/again").unwrap();
        let all = [
            "~real/a",
            "+real/again",
            "-real/dir/c",
            "+real/folder/",
            "+real/link",
            "+real/new",
        ];
        assert_eq!(reported(&mut fs), all);
        assert!(reported(&mut fs).is_empty());
        fs.rmdir(b"real/folder").unwrap();
        fs.remove(b"real/new").unwrap();
        assert_eq!(reported(&mut fs), ["-real/folder/", "-real/new"]);
    }
}

#[test]
fn what_is_put_back_is_no_change() {
    for (_scratch, mut fs) in journals("journal-back") {
        write(&mut fs, b"real/a", b"old");
        write(&mut fs, b"real/tmp", b"x");
        fs.unlink(b"real/tmp").unwrap();
        fs.unlink(b"real/b").unwrap();
        write(&mut fs, b"real/b", b"old");
        fs.rename(b"real/dir", b"real/elsewhere").unwrap();
        fs.rename(b"real/elsewhere", b"real/dir").unwrap();
        fs.unlink(b"real/to").unwrap();
        fs.symlink(b"dir", b"real/to").unwrap();
        assert_eq!(fs.mkdir(b"real/dir", 0o777), Err(Errno::EXIST));
        assert!(fs.unlink(b"real/nothing").is_err());
        let fd = fs.open(b"real/a", libc::O_RDWR | libc::O_CREAT, 0o666).unwrap();
        fs.close(fd).unwrap();
        fs.chmod(b"real/a", 0o600).unwrap();
        assert!(reported(&mut fs).is_empty());
    }
}

#[test]
fn a_renamed_folder_takes_its_files_along() {
    for (_scratch, mut fs) in journals("journal-rename") {
        fs.mkdir(b"real/dir/sub", 0o777).unwrap();
        reported(&mut fs);
        fs.rename(b"real/dir", b"real/moved").unwrap();
        let all = [
            "-real/dir/",
            "-real/dir/c",
            "-real/dir/sub/",
            "+real/moved/",
            "+real/moved/c",
        ];
        let found = reported(&mut fs);
        assert_eq!(found[..5], all);
        assert_eq!(found[5..], ["+real/moved/sub/"]);
        fs.rename(b"real/a", b"real/b").unwrap();
        assert_eq!(reported(&mut fs), ["-real/a"], "the same bytes");
    }
}

#[test]
fn a_file_kept_open_is_noted_in_every_interval() {
    for (_scratch, mut fs) in journals("journal-open") {
        let flags = libc::O_RDWR | libc::O_CREAT;
        let fd = fs.open(b"real/log", flags, 0o666).unwrap();
        fs.write(fd, b"one").unwrap();
        assert_eq!(reported(&mut fs), ["+real/log"]);
        fs.write(fd, b"two").unwrap();
        fs.write(fd, b"three").unwrap();
        assert_eq!(reported(&mut fs), ["~real/log"]);
        fs.pwrite(fd, b"one", 0).unwrap();
        assert!(reported(&mut fs).is_empty());
        fs.truncate(fd, 2).unwrap();
        assert_eq!(reported(&mut fs), ["~real/log"]);
        fs.unlink(b"real/log").unwrap();
        fs.write(fd, b"to nobody").unwrap();
        write(&mut fs, b"real/log", b"another");
        reported(&mut fs);
        fs.write(fd, b"to nobody").unwrap();
        assert!(reported(&mut fs).is_empty());
    }
}

#[test]
fn a_mapped_file_changes_without_being_asked() {
    for (_scratch, mut fs) in journals("journal-map") {
        let fd = fs.open(b"real/a", libc::O_RDWR, 0).unwrap();
        fs.mapped(fd, 4096);
        let real = fs.real_fd(fd).unwrap();
        assert!(reported(&mut fs).is_empty());
        sys::pwrite(real, b"new", 0).unwrap();
        assert_eq!(reported(&mut fs), ["~real/a"]);
        fs.unmapped(4096);
        reported(&mut fs);
        sys::pwrite(real, b"old", 0).unwrap();
        assert!(reported(&mut fs).is_empty());
    }
}

#[test]
fn devices_and_private_places_are_nobodys_files() {
    let (_scratch, mut fs) = Scratch::new("journal-private");
    fs.keep_private(b"/nowhere/private");
    fs.keep_journal(Tracer::default());
    write(&mut fs, b"/nowhere/private/f", b"x");
    write(&mut fs, b"/dev/null", b"x");
    assert!(fs.take_changes().is_empty());
}

#[test]
fn large_files_are_compared_by_their_ends_and_time() {
    for (_scratch, mut fs) in journals("journal-large") {
        let fd = fs
            .open(b"real/large", libc::O_RDWR | libc::O_CREAT, 0o666)
            .unwrap();
        fs.set_now(Some(Time { secs: 1, nanos: 0 }));
        fs.truncate(fd, 64 << 20).unwrap();
        assert_eq!(reported(&mut fs), ["+real/large"]);
        fs.set_now(Some(Time { secs: 2, nanos: 0 }));
        fs.pwrite(fd, b"in the middle", 32 << 20).unwrap();
        assert_eq!(reported(&mut fs), ["~real/large"]);
    }
}
