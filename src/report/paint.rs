//! Colours on a terminal.

pub const RED: &str = "31";
pub const GREEN: &str = "32";
pub const YELLOW: &str = "33";
pub const MAGENTA: &str = "35";
pub const BOLD: &str = "1";
pub const DIM: &str = "2";

pub fn paint(text: &str, code: &str, colour: bool) -> String {
    if colour && !text.is_empty() {
        format!("\x1b[{code}m{text}\x1b[0m")
    } else {
        text.to_owned()
    }
}
