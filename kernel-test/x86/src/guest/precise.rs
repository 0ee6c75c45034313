//! Precise sampling (PEBS) as a guest's kernel has it: a page for the processor to write to, and the counters' own interrupt.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use harness::place::OneCpu;
use pmu::arch::x86::access::{Cpuid, DebugStore};
use pmu::arch::x86::intel::pebs::Pebs;
use pmu::arch::x86::{Apic, Lvtpc};
use pmu::{Event, Modes, Request};

use super::sampling::Presented;
use super::{on_nmi, unit};
use crate::identity;
use crate::trap::Frame;

/// The sampler of the unit's counters.
pub type Counters = Pebs<DebugStore<OneCpu>, unit::Line>;

/// BR_INST_RETIRED.NEAR_TAKEN, of which every processor of these has precise records.
pub const TAKEN: Event = Event::raw(0x20c4);

/// The words of the page.
pub const WORDS: usize = 512;

/// What the processor writes to.
#[repr(align(4096))]
struct Page([AtomicU64; WORDS]);

static PAGE: Page = Page([const { AtomicU64::new(0) }; WORDS]);

/// The sampler of the test that runs, on its stack.
static OPENED: AtomicPtr<Counters> = AtomicPtr::new(ptr::null_mut());

/// Finds the sampler, which has so many words of the page, and whose interrupt comes after so many records.
pub fn find_in(words: usize, threshold: usize) -> Counters {
    // SAFETY: the guest runs in ring 0 and has one driver at a time; every guest has an NMI handler; all memory is mapped to itself.
    let registers = unsafe { DebugStore::claim(OneCpu) };
    let found = Pebs::detect(&Cpuid, registers, Apic::xapic(unit::line(), Lvtpc::NMI), &PAGE.0[..words]);
    found.and_then(|sampler| sampler.with_threshold(threshold)).expect("the processor samples precisely")
}

/// How many words a record has: 25 in format 3, and 8 in format 4 as the driver asks for it.
pub fn words_of_record() -> usize {
    if identity::presented().name == "skylake" { 25 } else { 8 }
}

impl Presented for Counters {
    /// Each second instruction is a taken branch, and 2,000 of other events than instructions are the fewest.
    const LEAST: u64 = 4_000;
    const TURNS: u64 = 300;

    fn find() -> Self {
        find_in(WORDS, 1)
    }

    fn open(&self, handler: fn(&mut Frame)) {
        OPENED.store(ptr::from_ref(self).cast_mut(), Relaxed);
        on_nmi(handler);
    }

    fn opened() -> Self {
        // SAFETY: it is null, or one on the stack of the test, which the handler has interrupted.
        *unsafe { OPENED.load(Relaxed).as_ref() }.expect("it was opened")
    }

    fn after(instructions: u64) -> Request {
        Request::new(TAKEN).modes(Modes::KERNEL).every(instructions / 2)
    }
}

/// A word of the page, for the host.
fn word(address: u64) -> Option<&'static AtomicU64> {
    let offset = address.checked_sub(PAGE.0.as_ptr().addr() as u64)?;
    PAGE.0.get(offset as usize / 8).filter(|_| offset % 8 == 0)
}

/// Reads the guest's memory for the host.
pub fn read(address: u64) -> Option<u64> {
    word(address).map(|word| word.load(Relaxed))
}

/// Writes the guest's memory for the host.
pub fn write(address: u64, value: u64) -> Option<()> {
    word(address).map(|word| word.store(value, Relaxed))
}
