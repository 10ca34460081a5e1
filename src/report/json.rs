//! One JSON document; its form is in docs/json.md.

use poldet_records::Document;

/// The document, with a newline at its end.
pub fn text(document: &Document) -> String {
    // Strings and numbers only: this cannot fail.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}
