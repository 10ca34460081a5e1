//! Real suites with and without capture, or another thing that an option switches off.

use crate::{Options, note_load};
use poldet_benches::measure::{self, geometric_mean, median};
use poldet_benches::parity::{self, LaidOut, Suite};
use std::process::Command;

pub fn measure_all(options: &Options, off: &str) -> Result<(), String> {
    let suites = parity::read(&options.list, &options.names)?;
    note_load();
    println!("Medians of {} runs each, seconds.\n", options.runs);
    println!(
        "| suite | tests | polluters | wall without | wall with | ratio | processor without | processor with | ratio |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut walls, mut processors) = (Vec::new(), Vec::new());
    for suite in &suites {
        match measure_one(options, suite, off) {
            Ok((wall, processor)) => {
                walls.push(wall);
                processors.push(processor);
            }
            Err(why) => eprintln!("capture: {} is left out: {why}", suite.name),
        }
    }
    if let (Some(wall), Some(processor)) = (geometric_mean(&walls), geometric_mean(&processors)) {
        println!("| **geometric mean** | | | | | **{wall:.2}** | | | **{processor:.2}** |");
    }
    Ok(())
}

/// Prints the suite's row; answers the ratios of wall-clock and of processor time.
fn measure_one(options: &Options, suite: &Suite, off: &str) -> Result<(f64, f64), String> {
    let laid_out = LaidOut::new(suite)?;
    let command = |on: bool| {
        let mut command = options.run_command()?;
        laid_out.add_to(&mut command);
        if !on {
            command.arg(off);
        }
        Ok(command)
    };
    row(options.runs, &suite.name, command)
}

fn row(
    runs: usize,
    name: &str,
    command: impl Fn(bool) -> Result<Command, String>,
) -> Result<(f64, f64), String> {
    let mut walls = [Vec::new(), Vec::new()];
    let mut processors = [Vec::new(), Vec::new()];
    let mut counts = (0, 0);
    for round in 0..runs {
        // Who goes first changes from round to round.
        for turn in 0..2 {
            let capture = (round + turn) % 2 == 1;
            let run = measure::timed(&mut command(capture)?)?;
            let document: serde_json::Value = serde_json::from_slice(&run.stdout)
                .map_err(|e| format!("poldet ended with {:?} and no document: {e}", run.code))?;
            if capture {
                let summary = &document["summary"];
                let tests = document["tests"].as_array().map_or(0, Vec::len);
                counts = (tests, summary["polluters"].as_u64().unwrap_or(0));
            }
            walls[usize::from(capture)].push(run.wall);
            processors[usize::from(capture)].push(run.processor);
        }
    }
    let middle = |values: [Vec<f64>; 2]| values.map(|v| median(v).unwrap_or(f64::NAN));
    let ([wall, wall_with], [cpu, cpu_with]) = (middle(walls), middle(processors));
    println!(
        "| {name} | {} | {} | {wall:.2} | {wall_with:.2} | {:.2} | {cpu:.2} | {cpu_with:.2} | {:.2} |",
        counts.0,
        counts.1,
        wall_with / wall,
        cpu_with / cpu
    );
    Ok((wall_with / wall, cpu_with / cpu))
}
