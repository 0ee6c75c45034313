//! The events by their PAPI names.
//!
//! Source for R10000 and R12000: PAPI's irix-mips.c, whose R10000 has event 8 for loads: 18 is meant, as R12000 has. The
//! other cores' are those of their lists that count what the PAPI names say. What has a number on each counter of R10000 and
//! 5K is counted on either.

use crate::arch::mips::mipsxx::events::ODD;
use crate::event::Event;
use crate::event::catalogue::GenericEvent;

const fn of(name: &'static str, code: u64) -> GenericEvent {
    GenericEvent::new(name, Event::raw(code))
}

pub(super) const R10000: &[GenericEvent] = &[
    of("papi_br_ins", 6),
    of("papi_br_msp", 24),
    of("papi_ca_inv", 13),
    of("papi_ca_itv", 12),
    of("papi_csr_fal", 5),
    of("papi_csr_tot", 20),
    of("papi_fp_ins", 21),
    of("papi_l1_dcm", 25),
    of("papi_l1_icm", 9),
    of("papi_l2_dcm", 26),
    of("papi_l2_icm", 10),
    of("papi_ld_ins", 18),
    of("papi_sr_ins", 19),
    of("papi_tlb_tl", 23),
    GenericEvent::new("papi_tot_cyc", Event::CYCLES),
    of("papi_tot_iis", 1),
    GenericEvent::new("papi_tot_ins", Event::INSTRUCTIONS),
];

pub(super) const R12000: &[GenericEvent] = &[
    of("papi_br_cn", 6),
    of("papi_br_msp", 24),
    of("papi_ca_inv", 13),
    of("papi_ca_itv", 12),
    of("papi_csr_fal", 5),
    of("papi_csr_tot", 20),
    of("papi_fp_ins", 21),
    of("papi_l1_dcm", 25),
    of("papi_l1_icm", 9),
    of("papi_l2_dcm", 26),
    of("papi_l2_icm", 10),
    of("papi_ld_ins", 18),
    of("papi_prf_dm", 17),
    of("papi_sr_ins", 19),
    of("papi_tlb_tl", 23),
    of("papi_tot_cyc", 0),
    of("papi_tot_iis", 1),
    of("papi_tot_ins", 15),
];

pub(super) const M5K: &[GenericEvent] = &[
    of("papi_br_ins", 6),
    of("papi_br_msp", ODD | 8),
    of("papi_ld_ins", 2),
    of("papi_sr_ins", 3),
    of("papi_tot_cyc", 0),
    GenericEvent::new("papi_tot_ins", Event::INSTRUCTIONS),
];

/// 20K has one counter.
pub(super) const M20K: &[GenericEvent] =
    &[of("papi_br_ins", 6), of("papi_br_msp", 5), of("papi_fp_ins", 3), of("papi_tot_cyc", 0), of("papi_tot_ins", 0xF)];

/// Those of 24K, 34K and 1004K.
pub(super) const M24K: &[GenericEvent] = &[
    of("papi_br_ins", 2),
    of("papi_br_msp", ODD | 2),
    of("papi_l1_dcm", 0xB),
    of("papi_l2_tca", ODD | 0x15),
    of("papi_l2_tcm", 0x16),
    of("papi_ld_ins", 0xF),
    of("papi_sr_ins", ODD | 0xF),
    of("papi_tot_cyc", 0),
    of("papi_tot_ins", 1),
];

/// Its branches are the conditional ones.
pub(super) const M74K: &[GenericEvent] = &[
    of("papi_br_cn", 0x27),
    of("papi_br_msp", ODD | 0x27),
    of("papi_l2_tca", ODD | 0x1C),
    of("papi_l2_tcm", 0x1D),
    of("papi_ld_ins", 0x29),
    of("papi_sr_ins", ODD | 0x29),
    of("papi_tot_cyc", 0),
    of("papi_tot_ins", 1),
];

/// Its branches are those that are no jumps.
pub(super) const OCTEON: &[GenericEvent] =
    &[of("papi_br_cn", 8), of("papi_br_msp", 9), of("papi_tot_cyc", 1), of("papi_tot_ins", 3)];
