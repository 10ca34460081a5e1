//! Faults in the guest's native memory: a mapped file that has become shorter (SIGBUS), or a page that may not be
//! written (SIGSEGV).
//!
//! The handler puts an empty page where the fault was and notes it, so that the access ends; the VM then raises the
//! error that HotSpot raises, and takes the page away again: the next access is a fault, too. A fault anywhere else is
//! left to whoever handled it before.
#![expect(
    unsafe_code,
    reason = "signals are handled, and pages replaced, through the C library"
)]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const PAGE: u64 = 4096;
/// Pages that one operation can fault on and that are taken away again; further ones stay, empty.
const MOST: usize = 256;
const SIGNALS: [libc::c_int; 2] = [libc::SIGBUS, libc::SIGSEGV];

/// The guest's native memory: its first address, and the one behind its last.
static START: AtomicU64 = AtomicU64::new(0);
static END: AtomicU64 = AtomicU64::new(0);
/// The pages with faults since the last look; a count beyond the room says that there were more.
static PAGES: [AtomicU64; MOST] = [const { AtomicU64::new(0) }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// What handled the signals before.
static BEFORE: OnceLock<[libc::sigaction; 2]> = OnceLock::new();

/// Handles faults from `start` to `end` from now on.
pub(crate) fn watch(start: u64, end: u64) {
    START.store(start, Ordering::Relaxed);
    END.store(end, Ordering::Relaxed);
    BEFORE.get_or_init(|| SIGNALS.map(install));
}

fn install(signal: libc::c_int) -> libc::sigaction {
    // SAFETY: both structures are plain data, for which zeros are a value; the handler is a function of the right form
    // that calls nothing but what a signal handler may.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_fault as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
        libc::sigaction(signal, &action, &mut before);
        before
    }
}

extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel gives a handler with SA_SIGINFO a valid structure.
    let address = unsafe { (*info).si_addr() } as u64;
    let ours = START.load(Ordering::Relaxed) <= address && address < END.load(Ordering::Relaxed);
    if ours && replace(address - address % PAGE, libc::PROT_READ | libc::PROT_WRITE) {
        let at = COUNT.fetch_add(1, Ordering::Relaxed);
        if let Some(page) = PAGES.get(at) {
            page.store(address - address % PAGE, Ordering::Relaxed);
        }
        return;
    }
    hand_on(signal, info, context);
}

fn hand_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let which = usize::from(signal == SIGNALS[1]);
    let before = BEFORE.get().map(|all| all[which].sa_sigaction);
    match before {
        Some(handler) if handler != libc::SIG_DFL && handler != libc::SIG_IGN => {
            // SAFETY: the address of a handler that was installed for this signal; Rust's own has this form.
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        }
        // The access is tried again, and ends the process.
        // SAFETY: the default action is always a valid one.
        _ => unsafe {
            libc::signal(signal, libc::SIG_DFL);
        },
    }
}

/// Puts a fresh page over one of the guest's; false if there is none to be had.
fn replace(page: u64, access: libc::c_int) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED | libc::MAP_NORESERVE;
    // SAFETY: the page lies in the range that `watch` was given, which is the guest's alone.
    let got = unsafe { libc::mmap(page as *mut libc::c_void, PAGE as usize, access, flags, -1, 0) };
    got != libc::MAP_FAILED
}

/// Whether there was a fault since the last look.
#[inline(always)]
pub fn happened() -> bool {
    COUNT.load(Ordering::Relaxed) != 0 && take()
}

#[cold]
fn take() -> bool {
    let count = COUNT.swap(0, Ordering::Relaxed);
    for page in &PAGES[..count.min(MOST)] {
        replace(page.load(Ordering::Relaxed), libc::PROT_NONE);
    }
    true
}
