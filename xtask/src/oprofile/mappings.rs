//! Parses OProfile's `event_mappings`, POWER's control registers for each event:
//! `event:0x010 mmcr0:0x0 mmcr1:0x0A02121E mmcra:0x0`.

use anyhow::{Result, ensure};

use super::line::{Tags, each};

/// An event's registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    pub(crate) code: u64,
    pub(crate) mmcr0: u64,
    pub(crate) mmcr1: u64,
    pub(crate) mmcra: u64,
}

/// Read a file of mappings.
///
/// # Errors
/// A line is wrong, or an event is mapped twice, or something is included.
pub(crate) fn read(text: &str) -> Result<Vec<Mapping>> {
    let mut mappings: Vec<Mapping> = Vec::new();
    let includes = each(text, |line| {
        let tags = Tags::read(line, &["event", "mmcr0", "mmcr1", "mmcra"])?;
        let register = |name| tags.hexadecimal(name);
        let mapping = Mapping {
            code: register("event")?,
            mmcr0: register("mmcr0")?,
            mmcr1: register("mmcr1")?,
            mmcra: register("mmcra")?,
        };
        ensure!(
            mappings.iter().all(|other| other.code != mapping.code),
            "the event {:#x} is mapped twice",
            mapping.code
        );
        mappings.push(mapping);
        Ok(())
    })?;
    ensure!(includes.is_empty(), "mappings include nothing");
    Ok(mappings)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "event:0X010 mmcr0:0X00000000 mmcr1:0X000000000A02121E mmcra:0X00000001\n";

    #[test]
    fn an_events_registers_are_read() {
        let mapping = Mapping { code: 0x10, mmcr0: 0, mmcr1: 0x0A02_121E, mmcra: 1 };
        assert_eq!(read(&format!("# group 1\n\n{LINE}")).unwrap(), [mapping]);
    }

    #[test]
    fn a_register_that_is_missing_or_an_event_that_comes_twice_is_an_error() {
        assert!(read("event:0x10 mmcr0:0x0 mmcr1:0x0\n").is_err());
        assert!(read(&LINE.repeat(2)).is_err());
    }
}
