//! Suites by Maven coordinates: an artifact's jar, the jar of its tests, and what both need, as `mvn` resolves them.

use crate::project::tool;
use std::path::{Path, PathBuf};

/// The jar of the tests, and the rest of the class path.
pub fn resolve(
    coordinates: &str,
    with: &[String],
    scratch: &Path,
) -> Result<(PathBuf, Vec<PathBuf>), String> {
    let fail = |e: std::io::Error| format!("cannot write to '{}': {e}", scratch.display());
    std::fs::create_dir_all(scratch).map_err(fail)?;
    let mut list = dependency(coordinates, Some("tests"));
    list.push_str(&dependency(coordinates, None));
    list.extend(with.iter().map(|c| dependency(c, None)));
    let pom = format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\
         <groupId>poldet</groupId><artifactId>plan</artifactId><version>1</version><packaging>pom</packaging>\
         <dependencies>{list}</dependencies></project>\n"
    );
    std::fs::write(scratch.join("pom.xml"), pom).map_err(fail)?;
    let out = scratch.join("class-path.txt");
    let _ = std::fs::remove_file(&out);
    let args = [
        "-q".to_owned(),
        "-B".to_owned(),
        "dependency:build-classpath".to_owned(),
        format!("-Dmdep.outputFile={}", out.display()),
    ];
    let program = tool::program(scratch, "mvnw", "mvn");
    tool::ask(scratch, &program, "-o", &args).map_err(|e| format!("'{coordinates}': {e}"))?;
    let text = std::fs::read_to_string(&out)
        .map_err(|e| format!("'{coordinates}': mvn wrote no class path: {e}"))?;
    let mut all: Vec<PathBuf> = text.trim().split(':').map(PathBuf::from).collect();
    let tests = all.iter().position(|p| {
        let name = p.file_name().map(|n| n.to_string_lossy().into_owned());
        name.is_some_and(|n| n.ends_with("-tests.jar"))
    });
    match tests {
        Some(at) => Ok((all.remove(at), all)),
        None => Err(format!(
            "'{coordinates}': mvn found no jar with the classifier 'tests'"
        )),
    }
}

fn dependency(coordinates: &str, classifier: Option<&str>) -> String {
    let mut parts = coordinates.split(':');
    let mut next = || parts.next().unwrap_or_default();
    let (group, artifact, version) = (next(), next(), next());
    let classifier = classifier.map_or_else(String::new, |c| format!("<classifier>{c}</classifier>"));
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>{classifier}</dependency>"
    )
}
