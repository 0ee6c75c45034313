//! What to run, on which processor: the words of the kernel's command line.

use core::fmt;

use crate::effort::Effort;

/// What a kernel does once it has booted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Run {
    /// Every test whose name the filter allows.
    Test,
    /// Count and sample a program, and say what was seen.
    Demo,
    /// Find out which function of a program does what costs so much.
    Experiment,
    /// Measure what the driver costs.
    Bench,
}

/// The options of one boot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandLine<'a> {
    /// `run=`
    pub run: Run,
    /// `identity=`: the processor; which there are, the kernel knows.
    pub identity: Option<&'a str>,
    /// `test=`: run only the tests whose names contain this.
    pub filter: &'a str,
    /// `effort=`: how much of a stress the tests do.
    pub effort: Effort,
    /// `show=`: what the demo is to show, if it can show several things; which, the kernel knows.
    pub show: &'a str,
}

/// A word that no kernel understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem<'a> {
    /// There is no such run.
    Run(&'a str),
    /// There is no such effort.
    Effort(&'a str),
    /// Not an option at all.
    Word(&'a str),
}

impl<'a> CommandLine<'a> {
    /// Reads the options; without any, all tests.
    ///
    /// # Errors
    /// The first word that means nothing.
    pub fn parse(text: &'a str) -> Result<Self, Problem<'a>> {
        let nothing_said = Self { run: Run::Test, identity: None, filter: "", effort: Effort::Whole, show: "" };
        text.split_ascii_whitespace().try_fold(nothing_said, Self::with)
    }

    fn with(self, word: &'a str) -> Result<Self, Problem<'a>> {
        match word.split_once('=') {
            Some(("identity", name)) => Ok(Self { identity: Some(name), ..self }),
            Some(("run", name)) => Ok(Self { run: Run::named(name).ok_or(Problem::Run(name))?, ..self }),
            Some(("test", filter)) => Ok(Self { filter, ..self }),
            Some(("effort", name)) => Ok(Self { effort: Effort::named(name).ok_or(Problem::Effort(name))?, ..self }),
            Some(("show", show)) => Ok(Self { show, ..self }),
            _ => Err(Problem::Word(word)),
        }
    }
}

impl Run {
    fn named(name: &str) -> Option<Self> {
        match name {
            "test" => Some(Self::Test),
            "demo" => Some(Self::Demo),
            "experiment" => Some(Self::Experiment),
            "bench" => Some(Self::Bench),
            _ => None,
        }
    }
}

impl fmt::Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(name) => write!(f, "run={name} is unknown; there are test, demo, experiment and bench"),
            Self::Effort(name) => write!(f, "effort={name} is unknown; there are whole, every and sample"),
            Self::Word(word) => write!(f, "{word} is no option; there are run=, identity=, test=, effort= and show="),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_every_test_runs() {
        let all = CommandLine { run: Run::Test, identity: None, filter: "", effort: Effort::Whole, show: "" };
        assert_eq!(CommandLine::parse(" "), Ok(all));
    }

    #[test]
    fn each_option_is_read() {
        let (effort, show) = (Effort::Sample, "all");
        let expected = CommandLine { run: Run::Bench, identity: Some("k8"), filter: "wrap", effort, show };
        assert_eq!(CommandLine::parse("run=bench identity=k8 test=wrap effort=sample show=all"), Ok(expected));
    }

    #[test]
    fn a_word_that_means_nothing_is_named() {
        assert_eq!(CommandLine::parse("run=fast"), Err(Problem::Run("fast")));
        assert_eq!(CommandLine::parse("effort=none"), Err(Problem::Effort("none")));
        assert_eq!(CommandLine::parse("run=test quiet"), Err(Problem::Word("quiet")));
    }
}
