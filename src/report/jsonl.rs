//! One JSON object a line for every event, as it happens; docs/json.md says which there are.

use super::{ReportError, Reporter};
use crate::run::results::Results;
use poldet_records::RunEvent;
use std::io::{self, Write};

/// Lines on standard output.
#[derive(Default)]
pub struct JsonLines {
    /// What went wrong with the first line that could not be written; none is tried after it.
    failed: Option<io::Error>,
}

impl Reporter for JsonLines {
    fn event(&mut self, event: &RunEvent) {
        // A heartbeat says nothing that a reader could use.
        if self.failed.is_none() && !matches!(event, RunEvent::Beat) {
            self.failed = write_line(event).err();
        }
    }

    fn finish(&mut self, _results: &Results) -> Result<(), ReportError> {
        self.failed.take().map_or(Ok(()), |e| Err(e.into()))
    }
}

fn write_line(event: &RunEvent) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}
