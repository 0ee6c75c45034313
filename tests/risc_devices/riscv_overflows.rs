//! RISC-V's overflows: when each kind of interrupt is raised, and what clears it.

use pmu::arch::riscv::Csr;
use pmu::arch::riscv::hpm::{Announced, Device, Extensions, Hpm, Identity, Model, Privilege, Select};
use pmu::driver::{Overflow, Plan as _, Recorder, Registers};
use pmu::virt::{Device as _, Fault, Kinds, Strict, Unconnected, Work};
use pmu::{Event, Handled, Interrupted, Mode, Request, Unit};

use crate::support::line::Level;

type Plain = Device<Unconnected>;

#[test]
fn an_overflow_of_a_counter_that_is_not_ours_is_not_claimed_and_not_cleared() {
    let (line, identity) = (Level::default(), Identity::RV64);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Level>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    let (foreign, select) = (Csr::counter(5).unwrap(), Csr::select(5).unwrap());
    device.write(foreign, u64::MAX);
    device.write(select, 2);
    device.write(Csr::MCOUNTINHIBIT.clearing(), 1 << 5);
    device.advance(&Work::instructions(Mode::Kernel, 5));
    assert!(line.is_high());
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::NotMine);
    assert_eq!((line.is_high(), device.read(select)), (false, Select::OVERFLOWED.bits() | 2));
    device.advance(&Work::instructions(Mode::Kernel, 9_995));
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
    assert_eq!(session.read(), Ok([10_000]));
}

/// T-Head's interrupt lasts as long as the bit.
#[test]
fn an_overflow_of_a_counter_that_nobody_requested_does_not_interrupt_a_c906_for_ever() {
    let (line, identity) = (Level::default(), Identity::C906);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Level>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    device.write(Csr::counter(0).unwrap(), u64::MAX);
    device.write(Csr::MCOUNTINHIBIT.clearing(), 1);
    device.advance(&Work::instructions(Mode::Kernel, 5));
    assert!(line.is_high());
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::NotMine);
    assert!(!line.is_high());
    device.advance(&Work::instructions(Mode::Kernel, 9_995));
    assert_eq!(unit.on_overflow(Interrupted::new(0, Mode::Kernel)), Handled::Overflow);
    assert_eq!((session.read(), line.is_high()), (Ok([10_000]), false));
}

#[test]
fn a_c906_interrupts_by_number_17_while_a_counter_has_its_bit_in_both_registers() {
    let line = Level::default();
    let device = Device::new(&Identity::C906, Kinds::CLOCK, &line);
    assert_eq!(Identity::C906.capabilities().interrupt().number(), Some(17));
    let pending = || device.read(Csr::MIP) >> 17 == 1;
    device.write(Csr::counter(2).unwrap(), u64::MAX);
    device.write(Csr::MIE.setting(), 1 << 17);
    device.advance(&Work::instructions(Mode::User, 2));
    assert_eq!((device.read(Csr::MCOUNTEROF), pending(), line.is_high()), (1 << 2, false, false));
    device.write(Csr::MCOUNTERINTEN, u64::MAX);
    assert_eq!((device.read(Csr::MCOUNTERINTEN), pending(), line.is_high()), (0x7FD, true, true));
    device.write(Csr::MIP.clearing(), 1 << 17);
    assert!(pending(), "mip shows the counters' bits");
    device.write(Csr::MCOUNTEROF.clearing(), 1 << 2);
    assert_eq!((device.read(Csr::MCOUNTEROF), pending(), line.is_high()), (0, false, false));
    assert_eq!(device.try_read(Csr::SCOUNTOVF), Err(Fault::Absent));
}

/// Zeros clear mcounterovf, and ones leave it.
#[test]
fn an_ax45_interrupts_by_number_18_until_a_zero_is_written_to_mcounterovf() {
    let line = Level::default();
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, &line);
    assert_eq!(Identity::AX45.capabilities().interrupt().number(), Some(18));
    for counter in [0, 2] {
        device.write(Csr::counter(counter).unwrap(), u64::MAX);
    }
    device.write(Csr::MIE.setting(), 1 << 18);
    device.advance(&Work::instructions(Mode::User, 2));
    assert_eq!((device.read(Csr::MCOUNTEROVF), device.read(Csr::MIP), line.is_high()), (0b101, 0, false));
    device.write(Csr::MCOUNTERINTEN_OF_ANDES, u64::MAX);
    assert_eq!(device.read(Csr::MCOUNTERINTEN_OF_ANDES), 0b111_1101);
    let after = |value| {
        device.write(Csr::MCOUNTEROVF, value);
        (device.read(Csr::MCOUNTEROVF), device.read(Csr::MIP) >> 18 == 1, line.is_high())
    };
    assert_eq!(after(u64::MAX), (0b101, true, true));
    assert_eq!(after(0b100), (0b100, true, true));
    assert_eq!(after(0), (0, false, false));
    assert_eq!([Csr::MCOUNTERINTEN, Csr::MCOUNTEROF].map(|at| device.try_read(at)), [Err(Fault::Absent); 2]);
}

/// No interrupt comes late, whether mip shows the counters' bits or keeps its own.
#[test]
fn a_stop_that_accounts_for_an_ax45s_overflow_clears_it_in_mip_too() {
    let device = Device::new(&Identity::AX45, Kinds::CLOCK, Unconnected);
    let recorder = Recorder::<_, 64>::new(&device);
    let unit = Unit::<Hpm<&Recorder<&Plain, 64>>, 16>::new();
    let pmu = unit.claim(Hpm::new(&recorder, Identity::AX45.capabilities())).unwrap();
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    session.start().unwrap();
    device.advance(&Work::instructions(Mode::Kernel, 10_000));
    recorder.clear();
    session.stop().unwrap();
    let accesses = (0..recorder.len()).map(|at| format!("{:?}", recorder.access(at).unwrap()));
    let clears: Vec<_> = accesses.filter(|access| access.starts_with("write csrc")).collect();
    assert_eq!(clears, ["write csrc mcounterovf <- 0x4", "write csrc mip <- 0x40000"]);
}

/// A write replaces the bits of counters that overflow amid it. `Strict` panics if one counts.
#[test]
fn no_counter_of_a_c906_counts_while_mcounterof_is_written() {
    let (line, identity) = (Level::default(), Identity::C906);
    let device = Strict(Device::new(&identity, Kinds::CLOCK, &line));
    let unit = Unit::<Hpm<&Strict<Device<&Level>>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut sampling = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
    let mut counting = pmu.open([Event::CYCLES]).unwrap();
    sampling.start().unwrap();
    counting.start().unwrap();
    device.advance(&Work::instructions(Mode::Kernel, 10_000));
    assert!(line.is_high());
    sampling.stop().unwrap();
    assert!(!line.is_high(), "the stop has accounted for it");
    device.advance(&Work::instructions(Mode::Kernel, 7));
    assert_eq!((sampling.read(), counting.read()), (Ok([10_000]), Ok([10_007])));
    assert_eq!(unit.sample_statistics().lost.stopped, 1);
}

/// QEMU's thead-c906 has its number and not its registers.
#[test]
fn a_c906_that_is_not_said_to_interrupt_is_asked_for_none_of_its_own_registers() {
    let device = Device::new(&Identity::CVA6, Kinds::CLOCK, Unconnected);
    let announced = Announced::new(Extensions::from_isa("rv64imac")).with_model(Model::D1);
    let unit = Unit::<Hpm<&Plain>, 0>::new();
    let driver = Hpm::detect(&device, Privilege::Machine, &announced).unwrap();
    assert_eq!(driver.description().overflow, Overflow::None);
    let pmu = unit.claim(driver).unwrap();
    let refused = pmu.open([Request::new(Event::CYCLES).every(100_000)]).err().unwrap();
    assert!(refused.to_string().contains("Timer"), "{refused}");
}

#[test]
fn other_processors_have_none_of_t_heads_and_andes_registers() {
    for identity in [Identity::RV64, Identity::CVA6, Identity::U74] {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let own = [Csr::MCOUNTERINTEN, Csr::MCOUNTEROF, Csr::MCOUNTERINTEN_OF_ANDES, Csr::MCOUNTEROVF];
        assert_eq!(own.map(|at| device.try_read(at)), [Err(Fault::Absent); 4], "{}", identity.name());
    }
}

#[test]
fn a_counter_interrupts_again_once_its_overflow_is_cleared_and_not_before() {
    let line = Level::default();
    let device = Device::new(&Identity::RV64, Kinds::CLOCK, &line);
    let (counter, select) = (Csr::counter(3).unwrap(), Csr::select(3).unwrap());
    let overflow = || {
        device.write(counter, u64::MAX);
        device.advance(&Work::instructions(Mode::User, 1));
        let was_high = line.is_high();
        device.write(Csr::MIP.clearing(), 1 << 13);
        was_high
    };
    device.write(Csr::MIE.setting(), 1 << 13);
    device.write(select, 2);
    assert_eq!([overflow(), overflow()], [true, false]);
    device.write(select, 2);
    assert_eq!(device.read(Csr::SCOUNTOVF), 0);
    assert!(overflow());
    assert_eq!(device.read(Csr::SCOUNTOVF), 1 << 3);
}

/// QEMU 10.0, target/riscv/csr.c: scountovf is masked with mcounteren in machine mode too.
#[test]
fn an_overflow_in_qemu_is_served_though_scountovf_does_not_show_it() {
    let (line, identity) = (Level::default(), Identity::QEMU);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    let unit = Unit::<Hpm<&Device<&Level>>, 16>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    let mut session = pmu.open([Request::new(Event::CYCLES).every(10_000)]).unwrap();
    session.start().unwrap();
    for period in 1..=3 {
        device.advance(&Work::instructions(Mode::Kernel, 10_000));
        assert_eq!((line.is_high(), device.read(Csr::SCOUNTOVF)), (true, 0));
        assert_eq!(unit.on_overflow(Interrupted::new(period, Mode::Kernel)), Handled::Overflow);
    }
    assert_eq!(session.read(), Ok([30_000]));
}

/// The pending bit waits with them. A handler that is told that LCOFI is not the unit's has nobody else to ask.
#[test]
fn an_interrupt_that_waited_for_interrupts_to_be_on_is_the_units_however_late_it_comes() {
    for identity in [Identity::RV64, Identity::RV64_DELEGATED] {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::<Hpm<&Plain>, 16>::new();
        let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
        let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
        session.start().unwrap();
        device.advance(&Work::instructions(Mode::Kernel, 10_000));
        session.stop().unwrap();
        device.advance(&Work::instructions(Mode::Kernel, 1 << 40));
        let handled = [(); 2].map(|()| unit.on_overflow(Interrupted::new(0, Mode::Kernel)));
        assert_eq!(handled, [Handled::Late, Handled::NotMine], "{}", identity.name());
    }
}

/// What is pending belongs to whoever has the unit: what was before a claim, and what it has left behind at its release.
#[test]
fn a_pending_interrupt_is_put_aside_by_a_claim_and_is_back_after_a_release() {
    for (identity, pending) in [(Identity::RV64, Csr::MIP), (Identity::RV64_DELEGATED, Csr::SIP)] {
        for was_pending in [1 << 13, 0] {
            let line = Level::default();
            let device = Device::new(&identity, Kinds::CLOCK, &line);
            device.write(pending.setting(), was_pending);
            let unit = Unit::<Hpm<&Device<&Level>>, 16>::new();
            let driver = Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap();
            let pmu = unit.claim(driver).unwrap();
            assert_eq!(device.read(pending), 0, "{}", identity.name());
            let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(10_000)]).unwrap();
            session.start().unwrap();
            device.advance(&Work::instructions(Mode::Kernel, 10_000));
            session.stop().unwrap();
            assert_eq!(device.read(pending), 1 << 13, "it is to come late");
            drop(session);
            pmu.release().unwrap();
            assert_eq!(device.read(pending), was_pending, "{}", identity.name());
        }
    }
}

#[test]
fn an_overflow_that_a_c906_had_before_a_claim_is_back_after_a_release() {
    let (line, identity) = (Level::default(), Identity::C906);
    let device = Device::new(&identity, Kinds::CLOCK, &line);
    device.write(Csr::counter(0).unwrap(), u64::MAX);
    device.advance(&Work::instructions(Mode::Kernel, 1));
    let unit = Unit::<Hpm<&Device<&Level>>, 0>::new();
    let pmu = unit.claim(Hpm::detect(&device, identity.privilege(), &identity.announced()).unwrap()).unwrap();
    assert_eq!(device.read(Csr::MCOUNTEROF), 0);
    pmu.release().unwrap();
    assert_eq!(device.read(Csr::MCOUNTEROF), 1);
}
