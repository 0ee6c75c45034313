//! Prints a processor's catalogue in Rust, as `pmu::catalogue` defines it, for a kernel's sources.

use std::fmt::Write;

use super::Processor;
use super::events::{Counters, Event};
use super::masks::{Kind, UnitMasks, Value};

/// The events that can be a processor's default; the first that it has is used.
const DEFAULTS: [&str; 8] = [
    "CPU_CLK_UNHALTED",
    "GLOBAL_POWER_EVENTS",
    "CPU_CLK",
    "CPU_CYCLES",
    "CYCLES",
    "INSTRUCTIONS",
    "INSTRUCTIONS_GRADUATED",
    "INSTRUCTIONS_EXECUTED",
];

/// Returns the catalogue as Rust source. What a catalogue cannot express is left out and mentioned in a comment.
pub(super) fn catalogue(processor: &Processor) -> String {
    let name = &processor.name;
    let mut events: Vec<_> = processor.events.iter().collect();
    events.sort_by_key(|event| event.name.to_ascii_lowercase());
    let rows: String = events
        .chunk_by(|one, next| one.name.eq_ignore_ascii_case(&next.name))
        .map(|events| rows(processor, events))
        .collect();
    let default = DEFAULTS.iter().find_map(|name| events.iter().find(|event| event.name.eq_ignore_ascii_case(name)));
    format!(
        "//! The events of {name}, of OProfile's text files.\n\n\
         use pmu::CounterSet;\n\
         use pmu::catalogue::{{Catalogue, MaskField, MaskKind, NamedEvent, UnitMask, UnitMasks}};\n\n\
         /// The events, by name.\n\
         pub const CATALOGUE: Catalogue = Catalogue {{\n    unit: {name:?},\n    events: &[\n{rows}    ],\n    \
         mask: {},\n    default: {:?},\n    ..Catalogue::EMPTY\n}};\n",
        mask_field(name),
        default.map_or("", |event| &event.name),
    )
}

/// Event selects of x86 have the unit mask behind eight bits of event (Intel SDM vol. 3, figure "Layout of
/// IA32_PERFEVTSELx MSRs"; AMD APM vol. 2, "Core Performance Event-Select Registers").
fn mask_field(name: &str) -> &'static str {
    match name.split('/').next() {
        Some("i386" | "x86-64") => "MaskField { shift: 8, largest: 0xff }",
        _ => "MaskField::NONE",
    }
}

/// Returns the row of an event. If several have its name, the row is that of the first, and the others are comments.
fn rows(processor: &Processor, events: &[&Event]) -> String {
    let others = events.iter().skip(1).map(|event| {
        let comment = row(processor, event);
        comment.lines().map(|line| format!("        // again: {}\n", line.trim().trim_start_matches("// "))).collect()
    });
    events.first().map(|event| row(processor, event)).into_iter().chain(others).collect()
}

fn row(processor: &Processor, event: &Event) -> String {
    let Event { name, code, minimum, .. } = event;
    let counters = match event.counters {
        Counters::These(bits) => bits,
        Counters::Announced => u64::MAX,
        Counters::Extended => return format!("        // {name}: no counter has it\n"),
    };
    let masks: Vec<_> = event.masks.iter().filter_map(|name| processor.mask(name)).collect();
    let mut text = String::new();
    for value in values(&masks).filter(|value| !value.extra.is_empty()) {
        let _ = writeln!(text, "        // {name}, unit mask {}: needs {}", title(value), value.extra.join(", "));
    }
    if let Some(mapping) = processor.mapping(*code) {
        let super::Mapping { mmcr0, mmcr1, mmcra, .. } = mapping;
        let _ = writeln!(text, "        // mmcr0 {mmcr0:#x}, mmcr1 {mmcr1:#x}, mmcra {mmcra:#x}:");
    }
    let _ = writeln!(
        text,
        "        NamedEvent {{ masks: {}, least: {minimum}, ..NamedEvent::new({name:?}, {}, CounterSet::from_bits({counters:#x})) }},",
        unit_masks(&masks),
        code_in_select(&processor.name, *code),
    );
    text
}

/// Of AMD's events with 12 bits, the upper four are at 32 (APM vol. 2, "Core Performance Event-Select Registers").
fn code_in_select(processor: &str, code: u64) -> String {
    let code = if mask_field(processor) == "MaskField::NONE" { code } else { code & 0xff | (code & 0xf00) << 24 };
    format!("{code:#x}")
}

fn values<'m>(masks: &'m [&UnitMasks]) -> impl Iterator<Item = &'m Value> {
    masks.iter().flat_map(|unit| &unit.values)
}

/// Merges unit masks into one: all their values, and the OR of their defaults.
fn unit_masks(masks: &[&UnitMasks]) -> String {
    let kind = match masks.first().map(|unit| unit.kind) {
        None | Some(Kind::Mandatory) => "Mandatory",
        Some(Kind::Bitmask) => "Bitmask",
        Some(Kind::Exclusive) => "Exclusive",
    };
    let default = masks.iter().filter_map(|unit| unit.default_value()).fold(0, |all, value| all | value);
    let mut plain: Vec<_> = values(masks).filter(|value| value.extra.is_empty()).collect();
    plain.sort_by_key(|value| value.value);
    let named: Vec<_> =
        plain.iter().map(|value| format!("UnitMask::new({:?}, {:#x})", title(value), value.value)).collect();
    format!("UnitMasks {{ kind: MaskKind::{kind}, default: {default:#x}, named: &[{}] }}", named.join(", "))
}

/// Returns a value's name, or the value if it has none.
fn title(value: &Value) -> String {
    value.name.clone().unwrap_or_else(|| format!("{:#04x}", value.value))
}

#[cfg(test)]
mod tests {
    use super::super::{events, mappings, masks};
    use super::*;

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
        catalogue(&processor)
    }

    #[test]
    fn events_are_sorted_as_catalogues_must_be() {
        let text = printed(
            "i386/one",
            "event:0x79 counters:0,1 um:zero minimum:6000 name:CPU_CLK_UNHALTED : text\n\
             event:0x28 counters:1 um:mesi minimum:500 name:BUS : text\n",
            "",
        );
        let rows: Vec<_> = text.lines().filter(|line| line.contains("NamedEvent {")).map(str::trim).collect();
        assert_eq!(
            rows,
            [
                "NamedEvent { masks: UnitMasks { kind: MaskKind::Bitmask, default: 0xf, named: &[UnitMask::new(\"0x01\", 0x1), UnitMask::new(\"0x08\", 0x8)] }, least: 500, ..NamedEvent::new(\"BUS\", 0x28, \
             CounterSet::from_bits(0x2)) },",
                "NamedEvent { masks: UnitMasks { kind: MaskKind::Mandatory, default: 0x0, named: &[UnitMask::new(\
             \"0x00\", 0x0)] }, least: 6000, ..NamedEvent::new(\"CPU_CLK_UNHALTED\", 0x79, \
             CounterSet::from_bits(0x3)) },",
            ]
        );
        assert!(text.contains("default: \"CPU_CLK_UNHALTED\",") && text.contains("shift: 8"), "{text}");
    }

    #[test]
    fn what_a_catalogue_has_no_place_for_is_said() {
        let text = printed(
            "i386/one",
            "event:0xa2 counters:0 um:stalls minimum:500 name:STALLS : text\n\
             event:0xf000 ext:ibs_fetch um:zero minimum:50000 name:IBS_FETCH : text\n",
            "",
        );
        assert!(text.contains("// STALLS, unit mask cycles: needs cmask=1, inv\n"), "{text}");
        assert!(text.contains("default: 0x2, named: &[UnitMask::new(\"any\", 0x2)]"), "{text}");
        assert!(text.contains("// IBS_FETCH: no counter has it\n"), "{text}");
    }

    #[test]
    fn an_event_whose_name_another_has_is_not_lost() {
        let text = printed(
            "mips/one",
            "event:0x1 counters:0 um:zero minimum:500 name:CYCLES : text\n\
             event:0x2 counters:1 um:zero minimum:500 name:Cycles : text\n",
            "",
        );
        let lines: Vec<_> = text.lines().filter(|line| line.contains("NamedEvent {")).map(str::trim).collect();
        assert!(lines[0].contains("NamedEvent::new(\"CYCLES\", 0x1,"), "{text}");
        assert!(!lines[0].starts_with("//") && lines[1].starts_with("// again: NamedEvent {"), "{text}");
        assert!(lines[1].contains("NamedEvent::new(\"Cycles\", 0x2,"), "{text}");
    }

    #[test]
    fn a_mapping_stands_above_its_event() {
        let text = printed(
            "ppc64/one",
            "event:0X001 counters:3 um:zero minimum:10000 name:CYCLES : text\n",
            "event:0X001 mmcr0:0X0 mmcr1:0X0A02121E mmcra:0X1\n",
        );
        assert!(text.contains("// mmcr0 0x0, mmcr1 0xa02121e, mmcra 0x1:\n        NamedEvent {"), "{text}");
        assert!(text.contains("mask: MaskField::NONE"), "{text}");
    }

    #[test]
    fn the_upper_bits_of_amds_codes_are_where_the_register_has_them() {
        assert_eq!(
            (code_in_select("x86-64/one", 0x1c0), code_in_select("ppc64/one", 0x1c0)),
            ("0x1000000c0".into(), "0x1c0".into())
        );
    }
}
