//! Error numbers of system calls, and their texts as the C library words them.

/// A failed system call's error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Errno(pub i32);

pub type SysResult<T> = Result<T, Errno>;

impl Errno {
    pub const PERM: Errno = Errno(libc::EPERM);
    pub const NOENT: Errno = Errno(libc::ENOENT);
    pub const INTR: Errno = Errno(libc::EINTR);
    pub const IO: Errno = Errno(libc::EIO);
    pub const BADF: Errno = Errno(libc::EBADF);
    pub const AGAIN: Errno = Errno(libc::EAGAIN);
    pub const NOMEM: Errno = Errno(libc::ENOMEM);
    pub const ACCES: Errno = Errno(libc::EACCES);
    pub const EXIST: Errno = Errno(libc::EEXIST);
    pub const NOSPC: Errno = Errno(libc::ENOSPC);
    pub const NOTDIR: Errno = Errno(libc::ENOTDIR);
    pub const ISDIR: Errno = Errno(libc::EISDIR);
    pub const INVAL: Errno = Errno(libc::EINVAL);
    pub const MFILE: Errno = Errno(libc::EMFILE);
    pub const SPIPE: Errno = Errno(libc::ESPIPE);
    pub const PIPE: Errno = Errno(libc::EPIPE);
    pub const NAMETOOLONG: Errno = Errno(libc::ENAMETOOLONG);
    pub const NOTSUP: Errno = Errno(libc::EOPNOTSUPP);
    pub const NOSYS: Errno = Errno(libc::ENOSYS);
    pub const NOTSOCK: Errno = Errno(libc::ENOTSOCK);
    pub const ADDRINUSE: Errno = Errno(libc::EADDRINUSE);
    pub const ADDRNOTAVAIL: Errno = Errno(libc::EADDRNOTAVAIL);
    pub const NETUNREACH: Errno = Errno(libc::ENETUNREACH);
    pub const CONNREFUSED: Errno = Errno(libc::ECONNREFUSED);
    pub const CONNRESET: Errno = Errno(libc::ECONNRESET);
    pub const NOTCONN: Errno = Errno(libc::ENOTCONN);
    pub const ISCONN: Errno = Errno(libc::EISCONN);
    pub const INPROGRESS: Errno = Errno(libc::EINPROGRESS);
    pub const MSGSIZE: Errno = Errno(libc::EMSGSIZE);
    pub const DESTADDRREQ: Errno = Errno(libc::EDESTADDRREQ);
    pub const NODATA: Errno = Errno(libc::ENODATA);
    pub const NXIO: Errno = Errno(libc::ENXIO);
    pub const LOOP: Errno = Errno(libc::ELOOP);

    /// The error of the system call that has just failed.
    pub fn last() -> Errno {
        Errno(
            std::io::Error::last_os_error()
                .raw_os_error()
                .unwrap_or(libc::EIO),
        )
    }

    pub fn of(error: &std::io::Error) -> Errno {
        Errno(error.raw_os_error().unwrap_or(libc::EIO))
    }

    /// What `strerror` says of it.
    pub fn text(self) -> String {
        let full = std::io::Error::from_raw_os_error(self.0).to_string();
        match full.rfind(" (os error") {
            Some(end) => full[..end].to_owned(),
            None => full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_c_librarys() {
        assert_eq!(Errno::NOENT.text(), "No such file or directory");
        assert_eq!(Errno::CONNREFUSED.text(), "Connection refused");
        assert_eq!(Errno(libc::ENOTEMPTY).text(), "Directory not empty");
    }
}
