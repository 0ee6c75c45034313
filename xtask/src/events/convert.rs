//! `cargo xtask events convert FOLDER`: converts OProfile's text files for a processor to a text file of a kernel's own
//! table, which `cargo xtask events generate` packs. This is for processors without a table in this crate. The file has
//! names, codes, counters and unit masks, but no descriptions.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use crate::oprofile::Processor;
use crate::oprofile::events::{Counters, Event};
use crate::oprofile::mappings::Mapping;
use crate::oprofile::masks::{Kind, UnitMasks, Value};

/// Read a folder, and print its events as lines of a table.
///
/// # Errors
/// Those of [`Processor::read`].
pub(crate) fn run(folder: &Path) -> Result<()> {
    print!("{}", lines(&Processor::read(folder)?));
    Ok(())
}

/// Returns the lines of the file. What a table cannot express is left out and mentioned in a comment.
fn lines(processor: &Processor) -> String {
    let mut events: Vec<_> = processor.events.iter().collect();
    events.sort_by_key(|event| event.name.to_ascii_lowercase());
    let groups = || events.chunk_by(|one, next| one.name.eq_ignore_ascii_case(&next.name));
    let lists: String = groups().map(|events| unit_masks(&masks_of(processor, events[0]), &events[0].name)).collect();
    let rows: String = groups().map(|events| rows(processor, events)).collect();
    format!("# The events of {}.\n#\n# Source: OProfile's text files.\n\n{lists}\n{rows}", processor.name)
}

fn masks_of<'p>(processor: &'p Processor, event: &Event) -> Vec<&'p UnitMasks> {
    event.masks.iter().filter_map(|name| processor.mask(name)).collect()
}

/// Returns the row of an event. If several have its name, the row is that of the first, and the others are comments.
fn rows(processor: &Processor, events: &[&Event]) -> String {
    let others = events.iter().skip(1).map(|event| {
        let comment = row(processor, event);
        comment.lines().map(|line| format!("# again: {}\n", line.trim_start_matches("# "))).collect()
    });
    events.first().map(|event| row(processor, event)).into_iter().chain(others).collect()
}

fn row(processor: &Processor, event: &Event) -> String {
    let Event { name, code, minimum, .. } = event;
    let counters = match event.counters {
        Counters::These(bits) => numbers(bits),
        Counters::Announced => "0-63".to_owned(),
        Counters::Extended => return format!("# {name}: no counter has it\n"),
    };
    let masks = masks_of(processor, event);
    let mut text = String::new();
    for value in values(&masks).filter(|value| !value.extra.is_empty()) {
        let _ = writeln!(text, "# {name}, unit mask {}: needs {}", title(value), value.extra.join(", "));
    }
    if let Some(mapping) = processor.mapping(*code) {
        let Mapping { mmcr0, mmcr1, mmcra, .. } = mapping;
        let _ = writeln!(text, "# mmcr0 {mmcr0:#x}, mmcr1 {mmcr1:#x}, mmcra {mmcra:#x}:");
    }
    let default = masks.iter().filter_map(|unit| unit.default_value()).fold(0, |all, value| all | value);
    let code = code_in_select(&processor.name, *code);
    let _ = write!(text, "{name}  {code}  {counters}  least={minimum}");
    if has_list(&masks) {
        let _ = write!(text, " masks={}:{default:#x}", name.to_lowercase());
    }
    text + "\n"
}

/// Returns the numbers of the counters.
fn numbers(bits: u64) -> String {
    let numbers: Vec<_> = (0..64).filter(|number| bits >> number & 1 != 0).map(|number| number.to_string()).collect();
    if numbers.is_empty() { "-".to_owned() } else { numbers.join(",") }
}

/// Returns true if there is anything but a mask of 0.
fn has_list(masks: &[&UnitMasks]) -> bool {
    values(masks).any(|value| value.value != 0 && value.extra.is_empty())
}

/// Of AMD's events with 12 bits, the upper four are at 32 (APM vol. 2, "Core Performance Event-Select Registers").
fn code_in_select(processor: &str, code: u64) -> String {
    let is_x86 = matches!(processor.split('/').next(), Some("i386" | "x86-64"));
    let code = if is_x86 { code & 0xff | (code & 0xf00) << 24 } else { code };
    format!("{code:#x}")
}

fn values<'m>(masks: &'m [&UnitMasks]) -> impl Iterator<Item = &'m Value> {
    masks.iter().flat_map(|unit| &unit.values)
}

/// Returns the list of an event's unit masks, which are merged into one.
fn unit_masks(masks: &[&UnitMasks], name: &str) -> String {
    let kind = match masks.first().map(|unit| unit.kind) {
        None | Some(Kind::Mandatory) => "mandatory",
        Some(Kind::Bitmask) => "bitmask",
        Some(Kind::Exclusive) => "exclusive",
    };
    let mut plain: Vec<_> = values(masks).filter(|value| value.extra.is_empty()).collect();
    plain.sort_by_key(|value| value.value);
    let named: String = plain.iter().map(|value| format!(" {}={:#x}", title(value), value.value)).collect();
    if has_list(masks) { format!("masks {} {kind}{named}\n", name.to_lowercase()) } else { String::new() }
}

/// Returns a value's name, or the value if it has none.
fn title(value: &Value) -> String {
    value.name.clone().unwrap_or_else(|| format!("{:#04x}", value.value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oprofile::{events, mappings, masks};

    const MASKS: &str = "name:zero type:mandatory default:0x0\n\t0x0 nothing\n\
        name:mesi type:bitmask default:0x0f\n\t0x08 modified\n\t0x01 invalid\n\
        name:stalls type:exclusive default:any\n\t0x1 extra:cmask=1,inv cycles text\n\t0x2 extra: any text\n";

    fn printed(name: &str, events: &str, mappings: &str) -> String {
        let mut processor = Processor {
            name: name.to_owned(),
            events: Vec::new(),
            masks: Vec::new(),
            mappings: mappings::read(mappings).unwrap(),
        };
        events::read(events, &mut processor.events).unwrap();
        masks::read(MASKS, &mut processor.masks).unwrap();
        lines(&processor)
    }

    #[test]
    fn events_are_lines_and_their_masks_are_lists() {
        let text = printed(
            "i386/one",
            "event:0x79 counters:0,1 um:zero minimum:6000 name:CPU_CLK_UNHALTED : text\n\
             event:0x28 counters:1 um:mesi minimum:500 name:BUS : text\n",
            "",
        );
        let wanted = "masks bus bitmask 0x01=0x1 0x08=0x8\n\n\
                      BUS  0x28  1  least=500 masks=bus:0xf\n\
                      CPU_CLK_UNHALTED  0x79  0,1  least=6000\n";
        assert!(text.ends_with(wanted), "{text}");
        assert_eq!(crate::events::rows_in(&text), Ok(2));
    }

    #[test]
    fn what_a_table_has_no_place_for_is_said() {
        let text = printed(
            "i386/one",
            "event:0xa2 counters:0 um:stalls minimum:500 name:STALLS : text\n\
             event:0xf000 ext:ibs_fetch um:zero minimum:50000 name:IBS_FETCH : text\n",
            "",
        );
        assert!(text.contains("# STALLS, unit mask cycles: needs cmask=1, inv\n"), "{text}");
        assert!(text.contains("masks stalls exclusive any=0x2\n"), "{text}");
        assert!(text.contains("# IBS_FETCH: no counter has it\n"), "{text}");
    }

    #[test]
    fn an_event_whose_name_another_has_is_not_lost() {
        let text = printed(
            "mips/one",
            "event:0x1 counters:0 um:zero minimum:500 name:CYCLES : text\n\
             event:0x2 counters:1 um:zero minimum:500 name:Cycles : text\n",
            "",
        );
        assert!(text.ends_with("\nCYCLES  0x1  0  least=500\n# again: Cycles  0x2  1  least=500\n"), "{text}");
    }

    #[test]
    fn a_mapping_stands_above_its_event() {
        let text = printed(
            "ppc64/one",
            "event:0X001 counters:3 um:zero minimum:10000 name:CYCLES : text\n",
            "event:0X001 mmcr0:0X0 mmcr1:0X0A02121E mmcra:0X1\n",
        );
        assert!(text.contains("# mmcr0 0x0, mmcr1 0xa02121e, mmcra 0x1:\nCYCLES  0x1  3"), "{text}");
    }

    #[test]
    fn the_upper_bits_of_amds_codes_are_where_the_register_has_them() {
        assert_eq!(
            (code_in_select("x86-64/one", 0x1c0), code_in_select("ppc64/one", 0x1c0)),
            ("0x1000000c0".into(), "0x1c0".into())
        );
    }
}
