//! Book3S 64 before POWER8: the PowerPC 970, and POWER4 to POWER7.
//!
//! The 970's programs are from Apple's manual of its counters, "Shark User Guide" (TP40005233): the chapter
//! "Hardware Counter Configuration", section "PowerPC G5 (970) Performance Counter Configuration", says what the
//! multiplexers are, and the appendix "PPC 970 (G5) Performance Counter Event List" which number on which counter
//! an event has, and which inputs it needs. Which bits a field has is said by Apple's headers: xnu,
//! osfmk/ppc/hw_perfmon_mmcr.h, numbers the bits of MMCR0, MMCR1 and MMCRA; the CHUD framework's header numbers the
//! multiplexers' inputs (chud_ttm0_func_t, chud_ttm1_func_t, chud_ttm3_func_t, chud_bytelane_func_t). The "IBM
//! PowerPC 970FX RISC Microprocessor User's Manual" itself was not at hand; that guide names its sections 10.9 and
//! 10.10 for the marking of instructions.
//!
//! No manual's text was at hand for POWER4 to POWER7. Their words are those of IBM's own groups of events, as
//! OProfile has them (events/ppc64/*/event_mappings; GPL data, numbers alone), each in full but for MMCRA's
//! SAMPLE_ENABLE, which IBM sets whether or not a group marks instructions. IBM's codes of the events, and
//! torvalds/linux arch/powerpc/perf, which was written apart from those groups, say which fields they are.
//!
//! Bits are counted from the top: bit n of 64 is 1 << (63 - n); MMCR0 is the lower half of its register.

use pmu::{CounterSet, Event, Modes};

use crate::powerpc64::{FROZEN, everywhere, program, start};
use crate::program::on;

const POWER4: u32 = 0x0035_0304;
const PPC970: u32 = 0x003C_0300;
const POWER5: u32 = 0x003A_0301;
const POWER6: u32 = 0x003E_0300;
const POWER7: u32 = 0x003F_0201;

/// What selects, MMCR1, and what lets count, MMCR0, where these codes are counted on these counters, PMC1 being 1.
fn counting<const N: usize>(pvr: u32, codes: [(u8, u64); N]) -> [String; 2] {
    let mut program = program(pvr);
    let started = start(&mut program, codes.map(|(counter, code)| everywhere(Event::raw(code), counter - 1)));
    let [_, selects, lets_count] = started.try_into().expect("MMCRA, MMCR1 and MMCR0 are written");
    [selects, lets_count]
}

/// xnu: PMC1's selector is bits 51-55 of MMCR0, PMC2's 58-62; PMC3's to PMC8's are five bits each of MMCR1, from 32
/// on; PMXE 37, the enables of PMC1's interrupt 48 and the others' 49. The list: "Instr Completed (ppc)" is 9 and
/// "CPU Cycles" 15 on every counter, "Nothing" 8. MMCRA, "One Per Inst": mark mode 2 in bits 50-51.
#[test]
fn the_970_has_eight_counters_and_a_selector_for_nothing() {
    let mut program = program(PPC970);
    let started = start(&mut program, [everywhere(Event::INSTRUCTIONS, 0), everywhere(Event::CYCLES, 3)]);
    let expected = [
        "write MMCRA <- 0x2000",
        // 8 on PMC3, 15 on PMC4, 8 on PMC5 to PMC8: 01000 01111 01000 01000 01000 01000 and two bits.
        "write MMCR1 <- 0x43d08420",
        // Bits 37, 48 and 49; 9 << 8, 8 << 1.
        "write MMCR0 <- 0x400c910",
    ];
    assert_eq!(started, expected);
    assert_eq!(program.run(CounterSet::EMPTY), [FROZEN]);
}

/// The list: "[FPU] fp0 divide" is 16 on PMC1, 2, 5 and 6, "0: FPU", "0: TTM0". CHUD: both inputs are 0.
#[test]
fn the_970s_floating_point_unit_is_the_first_input_everywhere() {
    let expected = ["write MMCR1 <- 0x42108420", "write MMCR0 <- 0x4009010"];
    assert_eq!(counting(PPC970, [(1, 0x100)]), expected);
}

/// The list: "[VMX] VMX mapper full" is 21 on PMC2, "0: VMX", "0: TTM0". CHUD: VMX is 3; xnu: TTM0 is bits 0-1.
#[test]
fn the_970s_vector_unit_is_the_first_multiplexers_last_input() {
    let expected = ["write MMCR1 <- 0xc000000042108420", "write MMCR0 <- 0x400482a"];
    assert_eq!(counting(PPC970, [(2, 0x205)]), expected);
}

/// The list: "[IFU] branch mispredict due to CR value" is 26 on PMC3, 4, 7 and 8, "0: IFU", "3: TTM0". CHUD: IFU is 2.
#[test]
fn the_970s_third_lane_reaches_its_third_counter() {
    let expected = ["write MMCR1 <- 0x80000000d2108420", "write MMCR0 <- 0x4004810"];
    assert_eq!(counting(PPC970, [(3, 0x432)]), expected);
}

/// The list: "[ISU] flush originated by branch mispredict" is 22 on PMC4, by "0: ISU" and "1: TTM0" or by "1: ISU" and
/// "1: TTM1"; "[FPU] fp0 divide", as above, leaves but the second. CHUD: ISU is TTM1's 2, TTM1 a lane's 1; xnu: TTM1 is
/// bits 3-4, lane 1 bits 14-15.
#[test]
fn the_970s_sequencer_goes_round_a_multiplexer_that_is_taken() {
    let expected = ["write MMCR1 <- 0x1001000045908420", "write MMCR0 <- 0x400d010"];
    assert_eq!(counting(PPC970, [(1, 0x100), (4, 0x316)]), expected);
}

/// The list: "[GPS] L2 miss, bus response is modified intervention" is 20 on PMC5, "1: GPS", "0: TTM1". CHUD: GPS is 3;
/// xnu: lane 0 is bits 12-13.
#[test]
fn the_970s_storage_subsystem_is_the_second_multiplexers_last_input() {
    let expected = ["write MMCR1 <- 0x1804000042288420", "write MMCR0 <- 0x4004810"];
    assert_eq!(counting(PPC970, [(5, 0x604)]), expected);
}

/// The list: "[LSU0] d tlb miss" is 20 on PMC6, "0: LSU0", through no multiplexer. CHUD: LSU0 is a lane's 2.
#[test]
fn the_970s_first_load_store_unit_needs_a_lane_alone() {
    let expected = ["write MMCR1 <- 0x8000042114420", "write MMCR0 <- 0x4004810"];
    assert_eq!(counting(PPC970, [(6, 0x704)]), expected);
}

/// The list: "[LSU1] L1 dcache load miss side 0 + L1 dcache load miss side 1" is 0 on PMC3, "1: LSU1", whatever
/// TTM3 selects. CHUD: LSU1 is a lane's 3.
#[test]
fn the_970s_second_load_store_unit_is_added_up() {
    let expected = ["write MMCR1 <- 0x3000002108420", "write MMCR0 <- 0x4004810"];
    assert_eq!(counting(PPC970, [(3, 0x3810)]), expected);
}

/// The list: "[LSU1] LMQ load hit reload merge" is 29 on PMC8, "3: LSU1 2|7" or "6|7", "3: LSU1": lane 3's lower word.
/// CHUD: "2|7", high and low, is 1; xnu: TTM3 is bits 9-10, lane 3 bits 18-19.
#[test]
fn the_970s_third_multiplexer_chooses_a_lanes_word() {
    let expected = ["write MMCR1 <- 0x20300042108474", "write MMCR0 <- 0x4004810"];
    assert_eq!(counting(PPC970, [(8, 0x935)]), expected);
}

/// The list: "[FPU] fp0 denorm operand + fp1 denorm operand" is 32 on PMC1, "2: TTM0": 0 in the selector's five bits,
/// and by xnu PMC1's adder lane select, bit 24.
#[test]
fn the_970_adds_up_its_upper_lane_by_a_bit_beside_the_selector() {
    let expected = ["write MMCR1 <- 0x8042108420", "write MMCR0 <- 0x4008010"];
    assert_eq!(counting(PPC970, [(1, 0x1120)]), expected);
}

/// The list: "Marked store sent to GPS" is 3 on PMC6. xnu: sampling is enabled by bit 63 of MMCRA.
#[test]
fn the_970_samples_where_marked_instructions_are_counted() {
    let mut program = program(PPC970);
    let started = start(&mut program, [everywhere(Event::raw_with(0x6003, 1), 5)]);
    assert_eq!(started[..2], ["write MMCRA <- 0x2001", "write MMCR1 <- 0x42103420"]);
}

/// IBM's group 7 of POWER4, where eight counters decode lane 2, which comes from IFU by TTM0: MMCR0 F1EH, MMCR1
/// 8000_0000_7BDE_F7BCH, MMCRA 2_2000H: the lowest of PMC8SEL's bits is bit 46.
#[test]
fn power4_has_a_bit_of_its_last_selector_in_mmcra() {
    let mut program = program(POWER4);
    let counters = [1, 2, 3, 4, 5, 6, 7, 8];
    let requests = counters.map(|counter| everywhere(Event::raw(counter << 12 | 0x327), counter as u8 - 1));
    let expected = ["write MMCRA <- 0x22000", "write MMCR1 <- 0x800000007bdef7bc", "write MMCR0 <- 0x400cf1e"];
    assert_eq!(start(&mut program, requests), expected);
}

/// IBM's group 8 of POWER4: LSU1 on lanes 0 and 1, added up by six counters, with cycles (7) on PMC3 and instructions
/// (9) on PMC4: MMCR0 810H, MMCR1 000F_0000_3A50_8420H.
#[test]
fn power4_adds_up_two_lanes() {
    let adds = [(1, 0x1C00), (2, 0x2C00), (5, 0x5C00), (6, 0x6C00), (7, 0x7C10), (8, 0x8C10)];
    let codes = [adds[0], adds[1], (3, 0x07), (4, 0x4001), adds[2], adds[3], adds[4], adds[5]];
    let expected = ["write MMCR1 <- 0xf00003a508420", "write MMCR0 <- 0x400c810"];
    assert_eq!(counting(POWER4, codes), expected);
}

/// IBM's group 25 of POWER5, and what its codes say: TTM0SEL is bits 0:1, TD_CP_DBG3SEL 14:15, PMC1_ADDER_SEL 28,
/// PMC1SEL 32 to 38. IFU, value 2 of multiplexer 0, on lane 3: PM_BR_ISSUED is 230E4H.
#[test]
fn power5_routes_a_unit_to_a_lane() {
    let expected = ["write MMCR1 <- 0x800000000000c800", "write MMCR0 <- 0x4004010"];
    assert_eq!(counting(POWER5, [(3, 0x2_30E4)]), expected);
}

/// IBM's group 45 of POWER5: loads from the L2 cache, on PMC1 alone; DERAT misses and stores, added up; store misses.
/// MMCR1 is 00B3_0000_0E20_2086H: lane 0 from LSU0 (2), lanes 1 and 3 from LSU1 (3).
#[test]
fn power5_takes_three_lanes_from_its_load_store_units() {
    let codes = [(1, 0x1C_3087), (2, 0x28_0090), (3, 0x3C_1090), (4, 0xC_10C3)];
    let expected = ["write MMCR1 <- 0xb300000e202086", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER5, codes), expected);
}

/// IBM's group 77 of POWER5: the L3 cache's slices. MMCR1 is 3050_1000_8688_8688H: unit 7 by TTM1SEL (3), lanes 0 and
/// 1 from TTM1, GRS_L3SEL, bits 18:19, 1.
#[test]
fn power5_selects_what_the_storage_subsystem_sends() {
    let codes = [(1, 0x7_01C3), (2, 0x7_01C4), (3, 0x7_11C3), (4, 0x7_11C4)];
    let expected = ["write MMCR1 <- 0x3050100086888688", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER5, codes), expected);
}

/// IBM's group 81 of POWER5: denormal operands and stalls of both floating-point units are added up from lane 2, by bits
/// 28 and 29. MMCR1 is 0000_000C_1010_868EH.
#[test]
fn power5_adds_up_its_upper_lane() {
    let codes = [(1, 0x10_2088), (2, 0x20_2088), (3, 0x10C3), (4, 0x10C7)];
    let expected = ["write MMCR1 <- 0xc1010868e", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER5, codes), expected);
}

/// IBM's group 3 of POWER6: branches predicted and mispredicted, all of unit 4 on lane 1 (TTM1SEL, bits 4 to 7). MMCR1 is
/// 0400_0000_A2A8_808AH: selectors A0H and AAH are 80H and 8AH on PMC3 and PMC4.
#[test]
fn power6_selects_the_bus_differently_on_its_last_counters() {
    let codes = [(1, 0x4_10A2), (2, 0x4_10A8), (3, 0x4_10A0), (4, 0x4_10AA)];
    let expected = ["write MMCR1 <- 0x4000000a2a8808a", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER6, codes), expected);
}

/// IBM's group 33 of POWER6: unit 9 on lanes 1 and 2. MMCR1 is 0990_0000_A0A2_84E8H.
#[test]
fn power6_takes_one_unit_on_two_lanes() {
    let codes = [(1, 0x9_10A0), (2, 0x9_10A2), (3, 0x9_10A4), (4, 0x9_20C8)];
    let expected = ["write MMCR1 <- 0x9900000a0a284e8", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER6, codes), expected);
}

/// IBM's group 2 of POWER7, four branch predictions of unit 4: MMCR1 is 4444_0000_A0A2_A4AEH, a unit for each counter in
/// its upper and a selector in its lower half.
#[test]
fn power7_has_a_unit_for_each_counter() {
    let codes = [(1, 0x40A0), (2, 0x40A2), (3, 0x40A4), (4, 0x40AE)];
    let expected = ["write MMCR1 <- 0x44440000a0a2a4ae", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER7, codes), expected);
}

/// IBM's group 55 of POWER7, of the L2 cache, unit 6, with selector 2 in bits 16:18: MMCR1 is 6666_4000_8080_8082H.
#[test]
fn power7_selects_events_of_its_second_cache() {
    let codes = [(1, 0x1_6280), (2, 0x2_6280), (3, 0x3_6280), (4, 0x4_6282)];
    let expected = ["write MMCR1 <- 0x6666400080808082", "write MMCR0 <- 0x400c010"];
    assert_eq!(counting(POWER7, codes), expected);
}

/// FCS is bit 33, FCP 34, FCHV 63 of MMCR0, for all counters: xnu has them so of the 970, torvalds/linux
/// arch/powerpc/include/asm/reg.h of all. PM_L2_ST_MISS, above's unit with selector 3. POWER7 reads MMCR0 as it halts.
#[test]
fn power7_counts_users_by_freezing_all_others() {
    let mut program = program(POWER7);
    let started = start(&mut program, [on(Event::raw(0x2_6382), 1).modes(Modes::USER)]);
    let expected = ["write MMCRA <- 0x60000000", "write MMCR1 <- 0x600600000820000", "write MMCR0 <- 0x44004011"];
    assert_eq!(started, expected);
    assert_eq!(program.run(CounterSet::EMPTY), ["read MMCR0 -> 0x44004011", FROZEN]);
}
