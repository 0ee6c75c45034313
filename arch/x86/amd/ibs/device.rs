//! Instruction-based sampling in software: its registers as a guest's instructions show them.

mod recording;
mod state;

use core::cell::Cell;
use core::convert::Infallible;
use core::fmt;

use super::Capabilities;
use super::capabilities::Features;
use super::registers::{ENTRY_VALID, FetchControl, OpControl, OpData, OpData2, OpData3, Register};
use crate::event::Record;
use crate::virt::{self, Fault, Trigger, check_fit};

/// The sampling of one virtual processor, in software.
///
/// The host says what each op was that retired ([`Device::retire`]) and each fetch ([`Device::fetch`]), or lets many pass at once
/// as long as none of them is tagged ([`Device::advance`], [`Device::until_tagged`]). The op after the period's last is tagged;
/// when it retires, its record is in the registers and the trigger is called.
///
/// Sources: APM vol. 2, "Instruction-Based Sampling", and its sections on registers and filtering. A value that sets
/// bits which "must be zero", or of a feature that the processor does not announce, is a fault; bits that "read as zero" are
/// dropped. A period of 0, which is reserved, tags nothing. The entry of the local APIC is number 0.
///
/// # What it does not model
///
/// A tagged op that takes long to retire, during which others are counted; what the processor speculates; the extended control
/// of fetches, op data 4 and the second controls, which are absent. Addresses need not be canonical.
pub struct Device<T> {
    capabilities: Capabilities,
    trigger: T,
    op: Counter,
    fetch: Counter,
    op_control: Cell<OpControl>,
    fetch_control: Cell<FetchControl>,
    /// The other registers, by their distance from the first.
    others: [Cell<u64>; 12],
    /// What hardware loads into the low bits of the counts, which it chooses at random.
    random: Cell<u64>,
}

/// A count towards the next tag.
#[derive(Default)]
struct Counter {
    count: Cell<u64>,
    is_tagged: Cell<bool>,
}

impl Counter {
    fn set(&self, count: u64) {
        self.count.set(count);
        self.is_tagged.set(false);
    }

    /// Returns how many events there are before the one that is tagged. The count wraps at `limit`, and only equality tags.
    fn left(&self, period: u64, limit: u64) -> u64 {
        let count = self.count.get();
        match () {
            () if self.is_tagged.get() => 0,
            () if count >> 4 == period >> 4 => 0,
            () => period.wrapping_sub(count) & (limit - 1),
        }
    }

    /// Counts some of so many events, up to the one that is tagged.
    fn advance(&self, events: u64, left: u64) {
        if !self.is_tagged.get() {
            self.count.set(self.count.get().wrapping_add(events.min(left)));
        }
        if events >= left {
            self.is_tagged.set(true);
        }
    }
}

/// The bits of the count of ops with its extension, and of the others.
const EXTENDED: u64 = 1 << 27;
const PLAIN: u64 = 1 << 20;
/// The bits of a physical address.
const PHYSICAL: u64 = (1 << 52) - 1;

impl<T: Trigger> Device<T> {
    /// Creates the sampling of a processor with these capabilities, after a reset. `trigger` is the line to the local APIC's
    /// extended entry 0.
    #[must_use]
    pub fn new(capabilities: Capabilities, trigger: T) -> Self {
        Self {
            capabilities,
            trigger,
            op: Counter::default(),
            fetch: Counter::default(),
            op_control: Cell::default(),
            fetch_control: Cell::default(),
            others: Default::default(),
            random: Cell::new(0),
        }
    }

    /// Returns the line to the local APIC.
    pub const fn trigger(&self) -> &T {
        &self.trigger
    }

    /// Sets the number that hardware loads into the low bits of its counts from now on: 7 bits of ops, 4 of fetches. After a
    /// reset it is 0, and periods are exact.
    pub fn randomise(&self, bits: u8) {
        self.random.set(u64::from(bits) & 0x7F);
    }

    /// Returns how many ops, or cycles if those are counted, pass before the op that is tagged, which has to be described by
    /// [`Device::retire`]. `None` if no op will be.
    #[must_use]
    pub fn until_tagged(&self) -> Option<u64> {
        let control = self.op_control.get();
        runs(control).then(|| self.op.left(control.period(), self.limit()))
    }

    /// Returns how many fetches pass before the one that is tagged. `None` if none will be.
    #[must_use]
    pub fn until_fetch(&self) -> Option<u64> {
        let control = self.fetch_control.get();
        fetches(control).then(|| self.fetch.left(control.period(), PLAIN))
    }

    /// So many ops were dispatched in so many cycles, none of them tagged: of more than [`Device::until_tagged`] returns, the
    /// further ones are not counted.
    pub fn advance(&self, ops: u64, cycles: u64) {
        if let Some(left) = self.until_tagged() {
            let counts_ops = self.op_control.get().contains(OpControl::OPS);
            self.op.advance(if counts_ops { ops } else { cycles }, left);
        }
    }

    /// So many fetches were attempted, none of them tagged.
    pub fn advance_fetches(&self, count: u64) {
        if let Some(left) = self.until_fetch() {
            self.fetch.advance(count, left);
        }
    }

    /// This op was dispatched in one cycle and retired. If it is tagged, it is recorded, unless it is left out by its source, and
    /// the trigger is called.
    pub fn retire(&self, op: &Record) {
        match self.until_tagged() {
            Some(0) => self.sample(op),
            Some(left) => self.op.advance(1, left),
            None => {}
        }
    }

    /// An op was dispatched and did not retire. If it was tagged, the count begins anew.
    pub fn abort(&self) {
        match self.until_tagged() {
            Some(0) => self.op.set(self.random.get()),
            Some(left) => self.op.advance(1, left),
            None => {}
        }
    }

    /// This fetch was completed. If it is tagged, it is recorded, unless it is left out by its source, and the trigger is called.
    pub fn fetch(&self, fetch: &Record) {
        match self.until_fetch() {
            Some(0) => self.sample_fetch(fetch),
            Some(left) => self.fetch.advance(1, left),
            None => {}
        }
    }

    const fn limit(&self) -> u64 {
        if self.capabilities.has(Features::EXTENDED) { EXTENDED } else { PLAIN }
    }

    fn set(&self, at: Register, value: u64) {
        self.other(at).into_iter().for_each(|place| place.set(value));
    }

    fn other(&self, at: Register) -> Option<&Cell<u64>> {
        self.others.get(at.place())
    }

    fn sample(&self, op: &Record) {
        self.op.set(self.random.get());
        let control = self.op_control.get();
        if control.contains(OpControl::MISSES) && !recording::misses_level_3(op) {
            return;
        }
        self.set(Register::OpAddress, op.address.unwrap_or(0));
        self.set(Register::OpData, recording::retirement(op).bits());
        self.set(Register::OpData2, recording::source(self.capabilities, op).bits());
        self.set(Register::OpData3, recording::access(op).bits());
        self.set(Register::DataLinear, op.data_address.unwrap_or(0));
        self.set(Register::DataPhysical, op.physical_address.unwrap_or(0) & PHYSICAL);
        self.set(Register::BranchTarget, op.branch.map_or(0, |branch| branch.to));
        self.op_control.set(control.union(OpControl::VALID));
        self.trigger.interrupt();
    }

    fn sample_fetch(&self, fetch: &Record) {
        let control = self.fetch_control.get();
        self.fetch.set(if control.contains(FetchControl::RANDOM) { self.random.get() & 0xF } else { 0 });
        if control.contains(FetchControl::MISSES) && !recording::misses_level_3(fetch) {
            return;
        }
        self.set(Register::FetchLinear, fetch.address.unwrap_or(0));
        self.set(Register::FetchPhysical, fetch.physical_address.unwrap_or(0) & PHYSICAL);
        let kept = control.intersection(FetchControl::PERIOD.union(FetchControl::CODE).union(FetchControl::ENABLE));
        self.fetch_control
            .set(kept | recording::fetched(self.capabilities, fetch) | FetchControl::VALID | FetchControl::COMPLETE);
        self.trigger.interrupt();
    }

    /// Returns the bits of a register, all others of which must be zero.
    fn bits(&self, at: Register) -> Result<u64, Fault> {
        let has = |feature| self.capabilities.has(feature);
        Ok(match at {
            Register::OpControl => {
                let mut bits = OpControl::all();
                bits.set(OpControl::OPS, has(Features::COUNTS_OPS));
                bits.set(OpControl::MISSES, has(Features::MISSES));
                bits.set(OpControl::PERIOD_HIGH, has(Features::EXTENDED));
                bits.bits()
            }
            Register::OpData => OpData::all().bits(),
            Register::OpData2 => OpData2::all().bits(),
            Register::OpData3 => OpData3::all().bits(),
            Register::DataPhysical => PHYSICAL,
            Register::BranchTarget if !has(Features::TARGETS) => return Err(Fault::Absent),
            Register::FetchLinear | Register::FetchPhysical | Register::Entry => return Err(Fault::ReadOnly),
            Register::FetchControl | Register::OpAddress | Register::DataLinear | Register::BranchTarget => u64::MAX,
        })
    }

    fn check_presence(&self, at: Register) -> Result<(), Fault> {
        let needed = match at {
            Register::Entry => return Ok(()),
            Register::FetchControl | Register::FetchLinear | Register::FetchPhysical => Features::FETCHES,
            Register::BranchTarget => Features::OPS.union(Features::TARGETS),
            _ => Features::OPS,
        };
        if self.capabilities.has(needed) { Ok(()) } else { Err(Fault::Absent) }
    }

    /// Reads a register.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the processor does not announce it.
    pub fn try_read(&self, at: Register) -> Result<u64, Fault> {
        self.check_presence(at)?;
        Ok(match at {
            Register::OpControl => {
                let shows_count = self.capabilities.has(Features::COUNT);
                let count = if shows_count { OpControl::of_count(self.op.count.get()) } else { OpControl::empty() };
                self.op_control.get().union(count).bits()
            }
            Register::FetchControl => {
                self.fetch_control.get().union(FetchControl::of_count(self.fetch.count.get())).bits()
            }
            Register::Entry => ENTRY_VALID,
            at => self.other(at).map_or(0, Cell::get),
        })
    }

    /// Writes a register. A control register sets the count, and forgets a tag.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::ReadOnly`], or [`Fault::Reserved`] if bits are set that must be zero. Nothing has
    /// changed then.
    pub fn try_write(&self, at: Register, value: u64) -> Result<(), Fault> {
        self.check_presence(at)?;
        check_fit(Some(self.bits(at)?), value)?;
        match at {
            Register::OpControl => {
                let control = OpControl::from_bits_retain(value);
                self.op_control.set(control.difference(OpControl::COUNT));
                let takes_count = self.capabilities.has(Features::COUNT);
                self.op.set(if takes_count { control.count() & (self.limit() - 1) } else { 0 });
            }
            Register::FetchControl => {
                let control = FetchControl::from_bits_truncate(value);
                self.fetch_control.set(self.announced(control).difference(FetchControl::COUNT));
                let low = if control.contains(FetchControl::RANDOM) { self.random.get() & 0xF } else { 0 };
                self.fetch.set(control.count() | low);
            }
            at => self.set(at, value),
        }
        Ok(())
    }

    /// Returns the bits of the control of fetches that the processor has. The others read as zero.
    fn announced(&self, control: FetchControl) -> FetchControl {
        let newer = FetchControl::MISSES.union(FetchControl::OP_CACHE_MISS).union(FetchControl::LEVEL_3_MISS);
        if self.capabilities.has(Features::MISSES) { control } else { control.difference(newer) }
    }
}

fn runs(control: OpControl) -> bool {
    control.contains(OpControl::ENABLE) && !control.contains(OpControl::VALID) && control.period() != 0
}

fn fetches(control: FetchControl) -> bool {
    control.contains(FetchControl::ENABLE) && !control.contains(FetchControl::VALID) && control.period() != 0
}

virt::recorded!([T: Trigger] Device<T>, Register, Infallible);

impl<T> fmt::Debug for Device<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device")
            .field("capabilities", &self.capabilities)
            .field("op_control", &self.op_control.get())
            .field("fetch_control", &self.fetch_control.get())
            .finish_non_exhaustive()
    }
}
