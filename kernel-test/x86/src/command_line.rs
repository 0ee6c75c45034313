//! What to run, on which processor: the words of the kernel's command line.

use core::fmt;

use crate::identity::{self, Identity};

/// What the kernel does once it has booted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Run {
    /// Every test whose name the filter allows.
    Test,
    /// Count and sample a program, and say what was seen.
    Demo,
    /// Find out which function of a program makes misaligned references.
    Experiment,
    /// Measure what the driver costs.
    Bench,
}

/// The options of one boot.
#[derive(Clone, Copy)]
pub struct CommandLine<'a> {
    /// `run=`
    pub run: Run,
    /// `identity=`: the processor to present.
    pub identity: &'static Identity,
    /// `test=`: run only the tests whose names contain this.
    pub filter: &'a str,
}

/// A word that the kernel does not understand.
pub enum Problem<'a> {
    /// No processor has this name.
    Identity(&'a str),
    /// There is no such run.
    Run(&'a str),
    /// Not an option at all.
    Word(&'a str),
}

impl<'a> CommandLine<'a> {
    /// Reads the options; without any, all tests on the usual processor.
    pub fn parse(text: &'a str) -> Result<Self, Problem<'a>> {
        let nothing_said = Self { run: Run::Test, identity: identity::USUAL, filter: "" };
        text.split_ascii_whitespace().try_fold(nothing_said, Self::with)
    }

    fn with(self, word: &'a str) -> Result<Self, Problem<'a>> {
        match word.split_once('=') {
            Some(("identity", name)) => {
                let identity = Identity::named(name).ok_or(Problem::Identity(name))?;
                Ok(Self { identity, ..self })
            }
            Some(("run", name)) => Ok(Self { run: Run::named(name).ok_or(Problem::Run(name))?, ..self }),
            Some(("test", filter)) => Ok(Self { filter, ..self }),
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
            Self::Identity(name) => {
                write!(f, "identity={name} is unknown; there are")?;
                identity::ALL.iter().try_for_each(|identity| write!(f, " {}", identity.name))
            }
            Self::Run(name) => write!(f, "run={name} is unknown; there are test, demo, experiment and bench"),
            Self::Word(word) => write!(f, "{word} is no option; there are run=, identity= and test="),
        }
    }
}
