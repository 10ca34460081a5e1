//! Ctrl-C, and SIGTERM: one flag for the whole process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The flag that an interrupt sets.
pub fn flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let set = Arc::clone(&flag);
        // Without a handler Ctrl-C just ends the process; that is a lesser evil than not running.
        let _ = ctrlc::set_handler(move || set.store(true, Ordering::SeqCst));
        flag
    });
    Arc::clone(flag)
}
