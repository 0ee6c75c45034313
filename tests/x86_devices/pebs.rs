//! Precise sampling in software: the registers that a guest sees and the records in its memory, which the manual describes.

use std::cell::RefCell;

use pmu::arch::x86::intel::Identity;
use pmu::arch::x86::intel::pebs::{Device, GuestMemory, Outcome, Register};
use pmu::arch::x86::{CpuIdReader as _, Msr};
use pmu::precise::{DataSource, Operation, Record, Translation};
use pmu::virt::{Fault, Kind, Kinds, Work};
use pmu::{Mode, virt};

use crate::support::chance::Chance;
use crate::support::effort;
use crate::support::line::Line;

/// Where the guest has memory, and where its debug store is: 0 elsewhere.
const BASE: u64 = 0x7000_0000_0000;
const SIZE: u64 = 0x1000;
/// Where its records begin.
const RECORDS: u64 = BASE + 0x100;

/// A guest's memory: one page.
struct Guest(RefCell<Vec<u8>>);

impl Guest {
    fn new() -> Self {
        Self(RefCell::new(vec![0; SIZE as usize]))
    }

    fn put(&self, offset: u64, value: u64) {
        self.write(BASE + offset, value).unwrap();
    }

    fn words(&self, address: u64, count: u64) -> Vec<u64> {
        (0..count).map(|word| self.read(address + 8 * word).unwrap()).collect()
    }
}

/// Returns where the 8 bytes at an address are, if they are all there.
fn place(address: u64) -> Option<std::ops::Range<usize>> {
    let offset = address.checked_sub(BASE)?;
    (offset <= SIZE - 8).then(|| offset as usize..offset as usize + 8)
}

impl GuestMemory for Guest {
    fn read(&self, address: u64) -> Option<u64> {
        Some(u64::from_le_bytes(self.0.borrow()[place(address)?].try_into().unwrap()))
    }

    fn write(&self, address: u64, value: u64) -> Option<()> {
        self.0.borrow_mut()[place(address)?].copy_from_slice(&value.to_le_bytes());
        Some(())
    }
}

type Bench<'l> = Device<&'l Line, Guest>;

const SKYLAKE: Identity = Identity::SKYLAKE.with_sampling(0x3C0);
const SAPPHIRE_RAPIDS: Identity = Identity::SAPPHIRE_RAPIDS.with_sampling(0x44C0);

fn device(identity: Identity, line: &Line) -> Bench<'_> {
    Device::new(&identity, Kinds::CLOCK.with(Kind::Loads), line, Guest::new()).unwrap()
}

fn one() -> Work {
    Work::instructions(Mode::User, 1)
}

const USER: u64 = 1 << 16;
const ENABLE: u64 = 1 << 22;
const ADAPTIVE: u64 = 1 << 34;
const BUFFER: u64 = 1 << 62;
const SELECT: Register = Register::Unit(Msr::select(0).unwrap());
const STATUS: Register = Register::Unit(Msr::GLOBAL_STATUS);

/// Counter 0 counts instructions of user programs; `period` of them arm it. There is room for `room` bytes, and the interrupt comes
/// behind `threshold`.
fn set_up(device: &Bench<'_>, period: u64, room: u64, threshold: u64) {
    let words = [RECORDS, RECORDS, RECORDS + room, RECORDS + threshold, period.wrapping_neg() & 0xFFFF_FFFF_FFFF];
    words.into_iter().zip(4..).for_each(|(word, place)| device.memory().put(8 * place, word));
    let full = Msr::counter(pmu::arch::x86::Window::Full, 0).unwrap();
    let writes = [
        (Register::Area, BASE),
        (Register::Unit(full), period.wrapping_neg() & 0xFFFF_FFFF_FFFF),
        (SELECT, 0xC0 | USER | ENABLE),
        (Register::Enable, 1),
    ];
    writes.into_iter().for_each(|(at, value)| device.try_write(at, value).unwrap());
}

fn load() -> Record {
    let mut load = Record::new(0x40_1000);
    (load.operation, load.data_address) = (Some(Operation::Load), Some(0x7000_0040));
    (load.source, load.latency) = (Some(DataSource::Memory), Some(0x123));
    (load.translation, load.is_locked) = (Some(Translation::Missed), Some(true));
    load
}

fn retire(device: &Bench<'_>, instruction: &Record) -> Outcome {
    device.retire(&one(), instruction, &core::array::from_fn(|number| 0x100 + number as u64))
}

#[test]
fn an_identity_announces_sampling_if_it_is_told_to() {
    for (identity, bits) in [(Identity::SKYLAKE, 0x3C0), (Identity::SAPPHIRE_RAPIDS, 0x44C0)] {
        let announced = |identity: Identity| {
            let leaf = identity.cpuid2(1, 0);
            let capabilities = identity.capabilities().perf_capabilities.unwrap().bits();
            (leaf.edx >> 21 & 1, leaf.ecx >> 2 & 1, capabilities & !(1 << 13))
        };
        assert_eq!(announced(identity), (0, 0, 0));
        assert_eq!(announced(identity.with_sampling(u64::MAX >> 1 & bits)), (1, 1, bits));
        assert_eq!(announced(identity.with_sampling(1 << 15)), (0, 0, 0), "that is not of sampling");
    }
}

#[test]
fn a_record_of_format_3_is_in_the_words_of_the_manual() {
    let line = Line::default();
    let device = device(SKYLAKE, &line);
    device.set_time(0x77);
    set_up(&device, 5, 1000, 200);
    device.advance(&Work::instructions(Mode::User, 5));
    assert_eq!((device.until_recorded(&one()), line.rises()), (Some(0), 0));
    assert_eq!(device.try_read(STATUS), Ok(0), "an overflow that arms leaves no trace");
    assert_eq!(retire(&device, &load()), Outcome::Recorded);
    // Flags, the next instruction, AX, BX, CX, DX, SI, DI, BP, SP, R8 to R15.
    let registers = [0, 1, 2, 5, 3, 4, 8, 9, 7, 6, 10, 11, 12, 13, 14, 15, 16, 17].map(|number| 0x100 + number);
    let rest = [1, 0x7000_0040, 0x3A, 0x123, 0x40_1000, 0, 0x77];
    assert_eq!(device.memory().words(RECORDS, 25), [registers.as_slice(), &rest].concat());
    assert_eq!(device.memory().words(BASE + 40, 1), [RECORDS + 200]);
    assert_eq!((line.rises(), device.try_read(STATUS)), (1, Ok(BUFFER)));
    assert_eq!(device.until_recorded(&one()), Some(5), "the counter has its reset value");
    device.try_write(Register::Unit(Msr::GLOBAL_RESET), BUFFER).unwrap();
    assert_eq!(device.try_read(STATUS), Ok(0));
}

#[test]
fn a_record_of_format_4_has_the_groups_that_were_chosen() {
    let line = Line::default();
    for (groups, words) in [(0, 4), (1, 8), (2, 22), (3, 26), (7, 58), (0xF | 31 << 24, 58 + 96)] {
        for is_adaptive in [false, true] {
            let device = device(SAPPHIRE_RAPIDS, &line);
            set_up(&device, 2, SIZE - 0x100, SIZE);
            device.try_write(Register::Data, groups).unwrap();
            let select = 0xC0 | USER | ENABLE | if is_adaptive { ADAPTIVE } else { 0 };
            device.try_write(SELECT, select).unwrap();
            assert_eq!(device.try_read(SELECT), Ok(select));
            assert_eq!([(); 3].map(|()| retire(&device, &load()))[2], Outcome::Recorded);
            let (groups, words) = if is_adaptive { (groups, words) } else { (0, 4) };
            assert_eq!(device.memory().words(BASE + 40, 1), [RECORDS + 8 * words]);
            let found = device.memory().words(RECORDS, words);
            assert_eq!(found[..4], [groups | (8 * words) << 48, 0x40_1000, 1, 0]);
            let mut rest = &found[4..];
            if groups & 1 != 0 {
                assert_eq!(rest[..4], [0x7000_0040, 0x3A, 0x123, 0]);
                rest = &rest[4..];
            }
            if groups & 2 != 0 {
                assert!(rest[..18].iter().copied().eq(0x100..0x112));
                rest = &rest[18..];
            }
            assert!(rest.iter().all(|&word| word == 0));
        }
    }
}

#[test]
fn nothing_is_written_beyond_the_maximum_and_the_counter_goes_on() {
    let line = Line::default();
    for (room, threshold) in [(200, 1 << 40), (399, 200), (0, 0), (199, 0)] {
        let device = device(SKYLAKE, &line);
        set_up(&device, 2, room, threshold);
        let before = line.rises();
        let outcomes: Vec<_> = (0..9).map(|_| retire(&device, &load())).collect();
        let recorded = outcomes.iter().filter(|outcome| **outcome == Outcome::Recorded).count() as u64;
        assert_eq!((recorded, outcomes.contains(&Outcome::Full)), (room / 200, true));
        assert_eq!(device.memory().words(RECORDS + 200 * recorded, 25), [0; 25]);
        assert_eq!(line.rises() - before, if threshold > room { 0 } else { recorded });
    }
}

#[test]
fn a_store_that_leads_nowhere_is_an_outcome_and_records_nothing() {
    let line = Line::default();
    let areas = [0, BASE - 64, BASE + SIZE - 40, BASE + SIZE, 0x7FFF_FFFF_FFF8, u64::MAX - 63, u64::MAX];
    for area in areas {
        let device = device(SKYLAKE, &line);
        set_up(&device, 2, 1000, 200);
        device.try_write(Register::Area, area).unwrap();
        let outcomes = [(); 3].map(|()| retire(&device, &load()));
        assert!(matches!(outcomes[2], Outcome::Unmapped { .. }), "{area:#x}: {outcomes:?}");
    }
    // The area is there, and the records are not.
    for (index, maximum) in [(0, u64::MAX), (u64::MAX - 7, u64::MAX), (BASE + SIZE - 192, u64::MAX)] {
        let device = device(SKYLAKE, &line);
        set_up(&device, 2, 1000, 200);
        [0, index, maximum].into_iter().zip(4..).for_each(|(word, place)| device.memory().put(8 * place, word));
        let outcomes = [(); 3].map(|()| retire(&device, &load()));
        assert!(matches!(outcomes[2], Outcome::Unmapped { .. }), "{index:#x}: {outcomes:?}");
        assert_eq!(device.memory().words(BASE + 40, 1), [index], "the index stays");
    }
    assert_eq!(line.rises(), 0);
}

#[test]
fn counters_that_are_armed_at_once_have_one_record() {
    let line = Line::default();
    let device = device(SAPPHIRE_RAPIDS, &line);
    set_up(&device, 2, 1000, 1000);
    // Fixed counter 0 too, whose reset value is behind the general counters'.
    device.memory().put(8 * 16, 4_u64.wrapping_neg());
    let writes = [
        (Register::Unit(Msr::fixed(0).unwrap()), 2_u64.wrapping_neg() & 0xFFFF_FFFF_FFFF),
        (Register::Unit(Msr::FIXED_CONTROL), 0b10 | 1 << 32),
        (Register::Unit(Msr::GLOBAL_CONTROL), 1 | 1 << 32),
        (Register::Enable, 1 | 1 << 32),
    ];
    writes.into_iter().for_each(|(at, value)| device.try_write(at, value).unwrap());
    assert_eq!(device.try_read(Register::Unit(Msr::FIXED_CONTROL)), Ok(0b10 | 1 << 32));
    assert_eq!([(); 3].map(|()| retire(&device, &load()))[2], Outcome::Recorded);
    assert_eq!(device.memory().words(RECORDS + 16, 1), [1 | 1 << 32]);
    device.try_write(Register::Enable, 1 << 32).unwrap();
    assert_eq!(device.until_recorded(&one()), Some(4));
}

#[test]
fn registers_and_bits_that_are_not_announced_fault_and_change_nothing() {
    let line = Line::default();
    let all = [Register::Enable, Register::Data, Register::Latency, Register::Area];
    let counters = 0xFF | 0xF << 32;
    for (identity, bits) in [
        (SKYLAKE, [0xF | 0xF << 32, 0, 0xFFFF, u64::MAX >> 17]),
        (SAPPHIRE_RAPIDS, [counters, 0xF | 0xFF << 24, 0xFFFF, u64::MAX >> 17]),
    ] {
        let device = device(identity, &line);
        for (at, bits) in all.into_iter().zip(bits) {
            let absent = device.try_read(at) == Err(Fault::Absent);
            assert_eq!(absent, bits == 0, "{at:?}");
            for bit in (0..64).map(|bit| 1 << bit) {
                let expected = match (absent, bits & bit) {
                    (true, _) => Err(Fault::Absent),
                    (false, 0) => Err(Fault::Reserved),
                    _ => Ok(()),
                };
                assert_eq!(device.try_write(at, bit), expected, "{at:?}: {bit:#x}");
                assert!(absent || device.try_write(at, 0) == Ok(()));
            }
        }
        let adaptive = device.try_write(SELECT, ADAPTIVE);
        assert_eq!(adaptive, if identity.name() == "Skylake" { Err(Fault::Reserved) } else { Ok(()) });
    }
}

#[test]
fn a_guest_that_is_told_of_sampling_cannot_be_passed_through() {
    use pmu::driver::Plan as _;
    use pmu::virt::PassThrough as _;
    let real = pmu::arch::x86::intel::Intel::<_, _>::new(
        virt_unit(&Identity::SKYLAKE),
        pmu::arch::x86::Unattached,
        Identity::SKYLAKE.capabilities(),
    );
    let fits =
        |identity: &Identity| virt_unit(identity).fits(&real.description(), |request| real.encode(request).is_ok());
    assert_eq!(fits(&Identity::SKYLAKE), Ok(()));
    assert!(fits(&SKYLAKE).unwrap_err().contains("without with_sampling"));
}

fn virt_unit(identity: &Identity) -> pmu::arch::x86::intel::Device<virt::Unconnected> {
    pmu::arch::x86::intel::Device::new(identity, Kinds::CLOCK, virt::Unconnected)
}

/// Operations by chance, ten million in the whole run, of which the guest chooses all that it can: its debug store leads anywhere.
#[test]
fn a_guest_that_does_anything_gets_no_more_interrupts_than_records_and_harms_nobody() {
    let mut chance = Chance(47);
    for identity in [SKYLAKE, SAPPHIRE_RAPIDS] {
        let line = Line::default();
        let device = device(identity, &line);
        let units = [0x186, 0x187, 0xC1, 0x4C1, 0x309, 0x38D, 0x38F, 0x390, 0x391, 0x3F1, 0x3F2, 0x3F6, 0x600];
        let registers = units.map(|address| Register::from_address(address).unwrap());
        let mut outcomes = [0_u64; 4];
        for _ in 0..effort::whole_or(5_000_000, 200_000) {
            let near = BASE + chance.below(SIZE + 64) - 32;
            let masks = [u64::MAX, 0xFF_FFFF_FFFF_FFFF, 0xFF_0000_00FF, 0xFF_00C0];
            let any = [chance.any() & masks[chance.below(4) as usize], near, chance.below(64).wrapping_neg(), u64::MAX];
            let value = any[chance.below(4) as usize];
            let at = registers[chance.below(registers.len() as u64) as usize];
            match chance.below(16) {
                0..=2 => _ = device.try_write(at, value),
                3 => _ = device.try_read(at),
                4..=6 => _ = device.memory().write(BASE + 8 * chance.below(20), value),
                7 => device.advance(&Work::instructions(Mode::User, value & 0xFFFF)),
                8 => {
                    // A guest that has set all of it up, but for what chance has made of it.
                    let period = 1 + chance.below(9);
                    for (word, place) in
                        [near, near, near + 2000, near + 200, period.wrapping_neg()].into_iter().zip(4..)
                    {
                        device.memory().put(8 * place, word);
                    }
                    let writes = [
                        (0x600, BASE),
                        (0x4C1, period.wrapping_neg() & 0xFFFF_FFFF_FFFF),
                        (0x186, 0x43_00C0),
                        (0x38F, 1),
                        (0x3F1, 1),
                        (0x390, 3 << 58 | BUFFER),
                    ];
                    for (address, value) in writes {
                        device.try_write(Register::from_address(address).unwrap(), value).unwrap();
                    }
                }
                _ => match retire(&device, &load()) {
                    Outcome::Nothing => outcomes[0] += 1,
                    Outcome::Recorded => outcomes[1] += 1,
                    Outcome::Full => outcomes[2] += 1,
                    Outcome::Unmapped { address } => {
                        assert!(place(address).is_none(), "{address:#x} is mapped");
                        outcomes[3] += 1;
                    }
                    other => panic!("{other:?}"),
                },
            }
        }
        assert!(outcomes.iter().all(|&number| number > 500), "{outcomes:?}");
        assert!(line.rises() > 500, "{}", line.rises());
    }
}
