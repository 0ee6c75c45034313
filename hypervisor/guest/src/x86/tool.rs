//! Debian's own perf, if this guest has it: `perf stat` and `perf record` of a program, which is this one once more.

use std::process::{Command, Output};

use crate::Found;

const PERF: &str = "/usr/bin/perf";
/// What `/init` executes of its loop, in two runs.
const TURNS: [u64; 2] = [1_000_000, 3_000_000];
const PERIOD: u64 = 50_021;

/// What both runs have in common cancels out, so that the difference of their counts is the loop's.
pub fn perf_stat_counts_exactly() -> Found {
    let table = run(&["stat", "-e", "instructions:u,instructions:k,cycles", "/init", &TURNS[0].to_string()])?;
    let [less, more] = TURNS.map(count);
    let (less, more, expected) = (less?, more?, 2 * (TURNS[1] - TURNS[0]));
    let found =
        format!("{}\nperf stat: {less} and {more} instructions:u, which differ by {}", table.trim(), more - less);
    if more - less == expected { Ok(found) } else { Err(found) }
}

/// The samples are as many as the same program's count has periods, and the loop has as many as it has.
pub fn perf_record_samples_exactly() -> Found {
    let (turns, period) = (TURNS[0].to_string(), PERIOD.to_string());
    let event = ["record", "-q", "-e", "instructions:u", "-c", &period, "-o", "/tmp/perf.data", "/init", &turns];
    run(&event)?;
    let lines = run(&["script", "-i", "/tmp/perf.data", "-F", "ip,sym"])?;
    let samples: Vec<_> = lines.lines().filter(|line| !line.trim().is_empty()).collect();
    let in_loop = samples.iter().filter(|line| line.contains("measured")).count() as u64;
    let (total, expected) = (samples.len() as u64, count(TURNS[0])? / PERIOD);
    let found = format!("perf record: {total} samples, {in_loop} of them in the loop");
    if total == expected && in_loop.abs_diff(2 * TURNS[0] / PERIOD) <= 1 { Ok(found) } else { Err(found) }
}

/// The first field of a line such as `2005423,,instructions:u,1371236,100.00,,`.
fn count(turns: u64) -> Result<u64, String> {
    let lines = run(&["stat", "-x,", "-e", "instructions:u", "/init", &turns.to_string()])?;
    let line =
        lines.lines().find(|line| line.contains("instructions:u")).ok_or_else(|| format!("perf stat: {lines}"))?;
    line.split(',').next().and_then(|count| count.parse().ok()).ok_or_else(|| format!("perf stat: {line}"))
}

/// What perf prints, to whichever file.
fn run(arguments: &[&str]) -> Result<String, String> {
    let Output { status, stdout, stderr } =
        Command::new(PERF).args(arguments).output().map_err(|error| format!("{PERF}: {error}"))?;
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    if status.success() { Ok(text) } else { Err(text) }
}
