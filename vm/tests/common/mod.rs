//! What the tests over whole JDK images share.

mod home;

use home::jdk_home;
use poldet_testdata::need::{self, Need};
use poldet_vm::jimage::JImage;

/// The image of the JDK of this version, or `None` with a message: the test is then skipped.
pub fn image(feature: u32) -> Option<JImage> {
    let Some(home) = jdk_home(feature) else {
        need::skip(Need::Jdk(feature), &format!("no JDK {feature} on this machine"));
        return None;
    };
    Some(JImage::open(&home.join("lib/modules")).expect("a readable image"))
}
