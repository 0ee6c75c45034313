//! What a kernel provides: the number of the current CPU, and optionally its own interrupt masking and clock.
//!
//! A kernel names one type and implements [`Kernel`] for it. A value of that type is inside the registers, as in
//! a family's `Hardware<K>`, so that no other type of this crate mentions it:
//!
//! ```
//! use pmu::{CpuId, Kernel};
//!
//! /// In a kernel with a structure for each CPU, which says its number.
//! #[derive(Clone, Copy)]
//! struct Mine;
//!
//! impl Kernel for Mine {
//!     fn cpu(&self) -> CpuId {
//!         CpuId(this_cpu().number)
//!     }
//! }
//! # struct Cpu { number: u32 }
//! # fn this_cpu() -> Cpu { Cpu { number: 3 } }
//! # assert_eq!(Mine.cpu(), CpuId(3));
//! ```

use super::Registers;
use crate::event::CpuId;

/// What a kernel provides: the number of the current CPU, and optionally its own interrupt masking and clock.
///
/// A kernel's type usually has size 0. Tests have several kernels in one process, as values.
pub trait Kernel: Copy {
    /// Returns the number of the current CPU.
    ///
    /// It is called with ordinary interrupts off, so the number need only be valid while the thread cannot be moved.
    /// It is also called from the overflow handler, which may be an NMI: it MUST NOT lock, allocate or panic, and
    /// MUST return the right number there (on x86 with GS as the kernel expects it).
    fn cpu(&self) -> CpuId;

    /// Keeps ordinary interrupts off this CPU. Returns what [`Kernel::leave`] restores.
    ///
    /// A kernel overrides this and `leave` if it tracks its interrupt state: if it counts how often interrupts were
    /// turned off, or masks them lazily or by priority. Both MUST nest, and MUST keep the compiler from moving
    /// memory accesses across.
    #[inline(always)]
    fn enter<R: Registers + ?Sized>(&self, registers: &R) -> Masked {
        registers.mask()
    }

    /// Restores what [`Kernel::enter`] found.
    #[inline(always)]
    fn leave<R: Registers + ?Sized>(&self, registers: &R, before: Masked) {
        registers.unmask(before);
    }

    /// Keeps user programs from reading counters, where the register that permits it does not belong to the unit: on x86 by
    /// CR4.PCE (`Hardware::close_user_reads`). The default does nothing.
    ///
    /// It is called on the unit's own CPU, with ordinary interrupts off, where [`Pmu::lend`](crate::Pmu::lend) ends: by
    /// [`Pmu::take_back`](crate::Pmu::take_back), by a session that is opened beside it or another thread that gets counters,
    /// when the thread's counters are taken from it, and when the unit is suspended, released or given up. A kernel that
    /// overrides it opens the counters again at each `lend`.
    fn close_user_reads(&self) {}

    /// Returns the most events that this kernel counts on its way out of an overflow interrupt: instructions, or cycles,
    /// whichever are more, from the return of [`Unit::on_overflow`](crate::Unit::on_overflow) until what was interrupted
    /// goes on.
    ///
    /// The handler sees by itself what the way in takes, and lengthens a period of which that takes more than an eighth. A
    /// kernel whose way out takes several times as long as its way in overrides this.
    #[inline(always)]
    fn exit_cost(&self) -> u64 {
        0
    }

    /// Returns the time, in ticks of the kernel's choice. It MUST NOT go back on one CPU. A claim also numbers the unit's threads
    /// from it, so that a new unit in the memory of an earlier one does not take that one's threads for its own. For that, the
    /// clock should advance between two switches of threads.
    #[inline(always)]
    fn clock<R: Registers + ?Sized>(&self, registers: &R) -> u64 {
        registers.ticks()
    }
}

/// The kernel of a machine with one CPU, number 0. It masks interrupts and reads the clock by instructions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OneCpu;

impl Kernel for OneCpu {
    #[inline(always)]
    fn cpu(&self) -> CpuId {
        CpuId(0)
    }
}

/// The state of ordinary interrupts as [`Registers::mask`] found it, for [`Registers::unmask`].
///
/// Its bits have a meaning only for the registers or the kernel that created it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "interrupts stay off until `unmask` is given it"]
pub struct Masked(u64);

impl Masked {
    /// Creates it from bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bits.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// The registers `R` with another kernel in place of their own.
///
/// By it a test has several kernels in one process, each with its own CPU number, interrupt masking and clock.
#[derive(Clone, Copy, Debug)]
pub struct WithKernel<R, K> {
    registers: R,
    kernel: K,
}

impl<R: Registers, K: Kernel> WithKernel<R, K> {
    /// Creates registers whose kernel is `kernel`.
    pub const fn new(registers: R, kernel: K) -> Self {
        Self { registers, kernel }
    }

    /// Returns the registers.
    pub const fn registers(&self) -> &R {
        &self.registers
    }
}

impl<R: Registers, K: Kernel> Registers for WithKernel<R, K> {
    type Address = R::Address;
    type Index = R::Index;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.kernel
    }

    #[inline(always)]
    fn read(&self, at: Self::Address) -> u64 {
        self.registers.read(at)
    }

    #[inline(always)]
    fn write(&self, at: Self::Address, value: u64) {
        self.registers.write(at, value);
    }

    #[inline(always)]
    fn read_counter(&self, index: Self::Index) -> u64 {
        self.registers.read_counter(index)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        self.registers.ticks()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        self.registers.mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        self.registers.unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        self.registers.fence();
    }
}
