//! `example-jar`: writes `testdata/example/example.jar` from its sources; the same bytes each time with javac 17.

use poldet_testdata::compile::Jdk;
use poldet_testdata::suite::example;
use std::process::ExitCode;

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("example-jar: {why}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), String> {
    let jdk = Jdk::find().ok_or("no javac found; set JAVA_HOME to a JDK 17")?;
    if jdk.version()?.feature != example::JAR_COMPILER {
        return Err(format!("{} is not of release 17", jdk.javac.display()));
    }
    let bytes = example::jar_bytes(&jdk, &poldet_testdata::cache_dir().join("example"))?;
    let file = example::jar_file();
    std::fs::write(&file, &bytes).map_err(|e| format!("{}: {e}", file.display()))?;
    println!("{}: {} bytes", file.display(), bytes.len());
    Ok(())
}
