//! Reads a report: `cargo xtask report FILE`.

use std::process::ExitCode;
use std::{env, fs};

use check::{Line, model, read};

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("which file?");
        return ExitCode::FAILURE;
    };
    let text = fs::read(&path).map_err(|error| error.to_string());
    let said = text.and_then(|text| explained(&String::from_utf8_lossy(&text)));
    match said {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns each line with what the model says of it, and the row for `docs/verification.md`.
fn explained(text: &str) -> Result<String, String> {
    let lines: Vec<_> = read(text).map_err(|error| error.to_string())?.collect();
    let said = lines.iter().map(|line| format!("{}\n", judged(line))).collect::<String>();
    Ok(format!("{said}\nThe row for docs/verification.md, table \"Silicon\":\n{}\n", row(&lines)))
}

fn judged(line: &Line<'_>) -> String {
    match model(line.name) {
        Some(value) if value == line.value => format!("agrees   {line}"),
        Some(value) => format!("DIFFERS  {line}, where the model has {value}"),
        None => format!("         {line}"),
    }
}

fn row(lines: &[Line<'_>]) -> String {
    let said = |name| lines.iter().find(|line| line.name == name).map_or("not said", |line| line.value);
    let answers = || lines.iter().filter_map(|line| Some(model(line.name)? == line.value));
    let (agree, differ) = (answers().filter(|agrees| *agrees).count(), answers().filter(|agrees| !agrees).count());
    let [processor, firmware, unit] = ["processor", "firmware", "unit"].map(said);
    format!("| {processor} | {firmware} | {unit} | {agree} | {differ} |")
}

#[cfg(test)]
mod tests {
    use super::explained;

    const REPORT: &str = "pmu check: 1\nprocessor: P\nfirmware: F\nunit: U\ncounter 0, wraps: yes\n\
        counter 0, lost at the wrap: 7\ncycles of a start: 9\nend: whole\n";

    #[test]
    fn each_line_is_said_to_agree_or_to_differ_where_the_model_answers_it() {
        let text = explained(REPORT).unwrap();
        assert!(text.contains("\nagrees   counter 0, wraps: yes\n"), "{text}");
        assert!(text.contains("\nDIFFERS  counter 0, lost at the wrap: 7, where the model has 0\n"), "{text}");
        assert!(text.contains("\n         cycles of a start: 9\n"), "{text}");
    }

    #[test]
    fn the_row_has_the_machine_and_how_many_lines_agree_and_differ() {
        assert!(explained(REPORT).unwrap().ends_with("\n| P | F | U | 1 | 1 |\n"));
    }

    #[test]
    fn what_is_no_report_is_refused() {
        assert_eq!(explained("hello\n").unwrap_err(), "there is no line `pmu check: 1`");
    }
}
