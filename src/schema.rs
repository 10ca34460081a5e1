//! `poldet schema`: the JSON Schema of every document that poldet writes, made from the types that write them.

use crate::cli::SchemaArgs;
use crate::tools::print;
use poldet_records::inject::InjectDocument;
use poldet_records::{Certificate, Document, FixDocument, NioDocument, OdDocument, RunEvent};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Map;

/// A document: the command that writes it, what it is, and its schema.
type Row = (&'static str, &'static str, fn() -> Schema);

const DOCUMENTS: [Row; 7] = [
    ("run", "The document of poldet run --format json", of::<Document>),
    ("events", "A line of poldet run --format jsonl", of::<RunEvent>),
    (
        "nio",
        "The document of poldet nio --format json",
        of::<NioDocument>,
    ),
    ("od", "The document of poldet od --format json", of::<OdDocument>),
    (
        "certificate",
        "The file of poldet od --certificate",
        of::<Certificate>,
    ),
    ("inject", "The document of poldet inject", of::<InjectDocument>),
    ("fix", "The document of poldet fix", of::<FixDocument>),
];

/// The names of the documents.
pub fn names() -> Vec<&'static str> {
    DOCUMENTS.iter().map(|(name, _, _)| *name).collect()
}

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The schema of one document, or an object with all of them.
pub fn schema(options: &SchemaArgs) -> Result<i32, String> {
    let one = |(name, title, of): &Row| {
        let mut schema = of();
        schema.insert("title".into(), (*title).into());
        (name.to_string(), schema.to_value())
    };
    let wanted = |row: &&Row| options.document.as_deref().is_none_or(|d| d == row.0);
    let mut found: Map<_, _> = DOCUMENTS.iter().filter(wanted).map(one).collect();
    let value = match &options.document {
        Some(name) => found.remove(name).unwrap_or_default(),
        None => found.into(),
    };
    let text = serde_json::to_string_pretty(&value).map_err(|e| e.to_string())?;
    print(format!("{text}\n").as_bytes())
}
