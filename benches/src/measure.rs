//! Runs a command to its end and measures it: wall-clock time always, processor time and peak memory where
//! `/usr/bin/time` is there to tell them.

use nix::sys::resource::{UsageWho, getrusage};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TIME: &str = "/usr/bin/time";

/// What one run cost and printed.
#[derive(Debug, Clone)]
pub struct Sample {
    pub wall: Duration,
    /// User and system time together.
    pub processor: Option<Duration>,
    /// The most memory held at once, in kilobytes.
    pub peak_kb: Option<u64>,
    pub stdout: Vec<u8>,
}

/// Runs `command` once. A run that fails has no time worth telling, so it is an error.
pub fn run(command: &Command) -> Result<Sample, String> {
    let mut measured = under_time(command);
    let started = Instant::now();
    let output = measured
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    let wall = started.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let line = stderr
            .lines()
            .find(|l| !l.trim().is_empty())
            .unwrap_or("no message");
        return Err(format!("{}: {line}", output.status));
    }
    let usage = stderr.lines().last().and_then(parse);
    Ok(Sample {
        wall,
        processor: usage.map(|(processor, _)| processor),
        peak_kb: usage.map(|(_, peak)| peak),
        stdout: output.stdout,
    })
}

/// What one run took, whatever its exit code was.
#[derive(Debug, Clone)]
pub struct Timed {
    pub wall: f64,
    /// Seconds of the command and of all it waited for.
    pub processor: f64,
    /// The exit code, unless a signal ended it.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
}

/// Runs `command` once, with the processor time as the kernel counts it for this process's children: nothing else may
/// run below this process meanwhile. A failing suite is as good to measure as another.
pub fn timed(command: &mut Command) -> Result<Timed, String> {
    without_results(command);
    let before = children_time()?;
    let started = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", command.get_program().to_string_lossy()))?;
    Ok(Timed {
        wall: started.elapsed().as_secs_f64(),
        processor: children_time()? - before,
        code: output.status.code(),
        stdout: output.stdout,
    })
}

/// Processor seconds of all children that have ended.
fn children_time() -> Result<f64, String> {
    time_of(UsageWho::RUSAGE_CHILDREN)
}

/// Processor seconds of this process.
pub fn own_time() -> Result<f64, String> {
    time_of(UsageWho::RUSAGE_SELF)
}

fn time_of(who: UsageWho) -> Result<f64, String> {
    let usage = getrusage(who).map_err(|e| format!("getrusage: {e}"))?;
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// The same command, below `/usr/bin/time` when there is one.
fn under_time(command: &Command) -> Command {
    let mut measured = if Path::new(TIME).exists() {
        let mut time = Command::new(TIME);
        time.args(["-f", "%U %S %M"]).arg(command.get_program());
        time
    } else {
        Command::new(command.get_program())
    };
    measured.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => measured.env(name, value),
            None => measured.env_remove(name),
        };
    }
    without_results(&mut measured);
    measured
}

/// What is measured is a run, not the result of an earlier one, however the bench was started.
fn without_results(command: &mut Command) {
    const RESULTS: &str = "POLDET_RESULTS";
    if !command.get_envs().any(|(name, _)| name == RESULTS) {
        command.env(RESULTS, "off");
    }
}

/// Reads the line that `/usr/bin/time` wrote: user seconds, system seconds, kilobytes.
fn parse(line: &str) -> Option<(Duration, u64)> {
    let mut words = line.split_whitespace();
    let user: f64 = words.next()?.parse().ok()?;
    let system: f64 = words.next()?.parse().ok()?;
    let peak = words.next()?.parse().ok()?;
    words
        .next()
        .is_none()
        .then_some((Duration::from_secs_f64(user + system), peak))
}

/// The middle of `values`, or the mean of the two in the middle.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        values.get(middle).copied()
    } else {
        Some((values.get(middle.checked_sub(1)?)? + values.get(middle)?) / 2.0)
    }
}

/// The geometric mean, which is the one that fits ratios.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_means() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
        let mean = geometric_mean(&[2.0, 8.0]).unwrap_or_default();
        assert!((mean - 4.0).abs() < 1e-9);
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn the_line_of_time_is_read() {
        assert_eq!(
            parse("0.10 0.02 1234"),
            Some((Duration::from_secs_f64(0.10 + 0.02), 1234))
        );
        assert_eq!(parse("Exception in thread main"), None);
    }
}
