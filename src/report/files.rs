//! The folder of reports: Surefire's files and the saved run.

use super::{ReportError, Reporter, json, junit_xml, saved};
use crate::run::results::Results;
use std::path::{Path, PathBuf};

pub struct Files {
    dir: PathBuf,
    polluters_fail: bool,
}

impl Files {
    pub fn new(dir: &Path, polluters_fail: bool) -> Result<Files, String> {
        std::fs::create_dir_all(dir)
            .map_err(|e| format!("cannot write reports to {}: {e}", dir.display()))?;
        Ok(Files {
            dir: dir.to_owned(),
            polluters_fail,
        })
    }
}

impl Reporter for Files {
    fn finish(&mut self, results: &Results) -> Result<(), ReportError> {
        let (dir, document) = (&self.dir, &results.document);
        junit_xml::write(dir, document, self.polluters_fail)
            .and_then(|()| std::fs::write(dir.join(saved::FILE), json::text(document)))
            .map_err(|e| ReportError::Failed(format!("cannot write reports to {}: {e}", dir.display())))
    }
}
