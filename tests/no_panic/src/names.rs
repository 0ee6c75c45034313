//! What names an event: a constant, and a processor's table. What is linked for either is looked at.

use pmu::text::catalogue::Catalogue;
use pmu::{Event, Request};

const STALLS: Request = Catalogue::SKYLAKE.constant("UOPS_ISSUED.STALL_CYCLES");

#[unsafe(no_mangle)]
pub extern "C" fn named_by_a_constant() -> u64 {
    match STALLS.event {
        Event::Raw { code, .. } => code,
        _ => 0,
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn named_by_a_table(name: &[u8; 16]) -> u64 {
    let named = str::from_utf8(name).ok().and_then(|name| Catalogue::SKYLAKE.named(name));
    named.map_or(0, |named| named.code)
}
