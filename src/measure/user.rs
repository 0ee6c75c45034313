//! Counts that a user program reads by itself, without a system call.
//!
//! The kernel lends a program its thread's counters ([`Pmu::lend`]) and maps a [`UserPage`] that it
//! can read. The page says which counter each request is on now and what to add; the program reads
//! the counter and adds. A change amid its reading, by a switch to another thread or an overflow,
//! changes the page's generation, and it reads again. Reading writes nothing: the program needs no right to write the page.
//!
//! | | what opens the counters | what reads them in the program |
//! |---|---|---|
//! | x86 | CR4.PCE, which is the kernel's: `Hardware::open_user_reads` | `arch::x86::access::User` |
//! | Arm | PMUSERENR_EL0, which [`Pmu::lend`] writes | `arch::aarch64::access::User` |
//! | POWER8 and later | MMCR0\[PMCC\], which [`Pmu::lend`] writes | `arch::powerpc::access::User` |
//! | RISC-V of 64 bits | mcounteren or scounteren, which [`Pmu::lend`] writes | `arch::riscv::access::User` |
//! | PowerPC before, from the 750 on | nothing: every program reads them always | the same |
//! | SPARC | %pcr's PRIV, which [`Pmu::lend`] writes; a program can write %pic then too | `arch::sparc::access::User` |
//!
//! Where every program reads them always, none is kept from what a thread has counted: a counter keeps that until it is
//! preset.
//!
//! No program can read the counters of another unit: of an instruction set that is not in the table, of the 604, of a Pentium
//! without MMX, of the first Pentium Pros, of RISC-V of 32 bits, or of a firmware.

use core::hint::black_box;
use core::{array, fmt};

use super::Context;
use crate::contract::{Driver, Slot};
use crate::event::Result;
use crate::sync::{Cell, fence};
use crate::unit::{Pmu, Scope};

/// What a program needs to know to read its thread's counters; for up to `N` requests.
///
/// The kernel writes it, on the CPU that the thread is on or was on last; the program reads it. Its
/// size and layout are fixed for a version of this crate, with which the program is built too.
#[repr(C)]
pub struct UserPage<const N: usize> {
    /// Changes with every change of the rest.
    generation: Cell,
    /// The requests that have a counter, a bit each.
    counting: Cell,
    entries: [Entry; N],
}

/// Stands in `index` for "no count". A counter's number has 32 bits, so it never has this value.
const NO_COUNT: u64 = 1 << 32;

/// How to read one request.
#[repr(C)]
struct Entry {
    /// The counter's number for the instruction that reads it; 0 without a counter, [`NO_COUNT`] without even a count.
    index: Cell,
    /// What turns the counter's value into a position, by exclusive or.
    flip: Cell,
    /// What is added to a position to make it a count. Without a counter, the count itself.
    offset: Cell,
}

impl Entry {
    const fn empty() -> Self {
        Self { index: Cell::new(NO_COUNT), flip: Cell::new(0), offset: Cell::new(0) }
    }

    /// Is there a count, by a counter or without?
    #[inline(always)]
    fn is_there(&self) -> bool {
        self.index.get() != NO_COUNT
    }

    /// The count, by the counter.
    #[inline(always)]
    fn count(&self, counter: impl Fn(u32) -> u64) -> u64 {
        (counter(self.index.get() as u32) ^ self.flip.get()).wrapping_add(self.offset.get())
    }

    /// The count, by the counter if it has one.
    #[inline(always)]
    fn count_if(&self, has_counter: bool, counter: impl Fn(u32) -> u64) -> u64 {
        if has_counter { self.count(counter) } else { self.offset.get() }
    }
}

/// Is the request with this number among these?
#[inline(always)]
const fn is_among(requests: u64, number: usize) -> bool {
    requests >> number & 1 != 0
}

impl<const N: usize> UserPage<N> {
    /// All requests, a bit each.
    const ALL: u64 = if N == 0 { 0 } else { u64::MAX >> (64 - N) };

    /// A page without counts.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N <= 64, "a page has at most 64 requests") };
        Self { generation: Cell::new(0), counting: Cell::new(0), entries: [const { Entry::empty() }; N] }
    }

    /// For the program: the count of a request. `counter` is the processor's instruction that reads the counter with this
    /// number.
    ///
    /// Returns `None` if there is no such request or it has no count: none was published, the thread's counters were taken
    /// from it, or the request counts on a counter that no program can read.
    #[inline(always)]
    pub fn read(&self, request: usize, counter: impl Fn(u32) -> u64) -> Option<u64> {
        let entry = self.entries.get(request)?;
        loop {
            let before = self.generation.get();
            fence();
            let has_counter = is_among(self.counting.get(), request);
            let count = entry.count_if(has_counter, &counter);
            let is_there = has_counter || entry.is_there();
            fence();
            if self.generation.get() == before {
                return is_there.then_some(count);
            }
        }
    }

    /// For the program: the counts of all requests, read within one generation of the page. Returns 0 for a request for which
    /// [`UserPage::read`] returns `None`. It costs less than reading them one by one.
    #[inline(always)]
    pub fn read_all(&self, counter: impl Fn(u32) -> u64) -> [u64; N] {
        // No loop here: it would make the compiler set up in advance what is hardly ever used.
        let before = self.generation.get();
        fence();
        if self.counting.get() != Self::ALL {
            return self.read_each(&counter);
        }
        let mut counts = [0; N];
        for (count, entry) in counts.iter_mut().zip(&self.entries) {
            *count = entry.count(&counter);
        }
        fence();
        if self.generation.get() == before { counts } else { self.read_again(counts, &counter) }
    }

    /// Reads again after a torn read. Takes the wrong counts so that the compiler computes them before the check, and does not
    /// keep in memory what they are made of.
    #[cold]
    #[inline(never)]
    fn read_again(&self, wrong: [u64; N], counter: impl Fn(u32) -> u64) -> [u64; N] {
        black_box(wrong);
        self.read_each(counter)
    }

    /// Reads the counts where some requests may have no counter: the thread waits, is switched out, or has fewer than `N`
    /// requests.
    #[cold]
    #[inline(never)]
    fn read_each(&self, counter: impl Fn(u32) -> u64) -> [u64; N] {
        loop {
            let before = self.generation.get();
            fence();
            let counting = self.counting.get();
            let count = |number: usize| self.entries[number].count_if(is_among(counting, number), &counter);
            let counts = array::from_fn(count);
            fence();
            if self.generation.get() == before {
                return counts;
            }
        }
    }

    /// A number that changes with every change of the page.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.get()
    }

    /// Writes one request's entry: the number of its counter, flip, offset.
    fn write(&self, request: usize, index: Option<u32>, flip: u64, offset: u64) {
        if let Some(entry) = self.entries.get(request) {
            let others = self.counting.get() & !(1 << request);
            self.counting.set(others | u64::from(index.is_some()) << request);
            entry.index.set(index.unwrap_or(0).into());
            entry.flip.set(flip);
            entry.offset.set(offset);
        }
    }

    /// Leaves one request without a counter, and without a count.
    fn clear(&self, request: usize) {
        self.write(request, None, 0, 0);
        if let Some(entry) = self.entries.get(request) {
            entry.index.set(NO_COUNT);
        }
    }

    /// Names no counter, and has no count.
    fn withdraw(&self) {
        self.generation.add(1);
        fence();
        (0..N).for_each(|request| self.clear(request));
        fence();
        self.generation.add(1);
    }
}

impl<const N: usize> Default for UserPage<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Debug for UserPage<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserPage").field("generation", &self.generation()).finish_non_exhaustive()
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Writes where the thread's counts are, for its program to read.
    ///
    /// The kernel calls it after each [`Pmu::switch_in`], [`Pmu::lend`] and [`Pmu::switch_out`] of the context, and
    /// after each overflow that [`Unit::on_overflow`](crate::Unit::on_overflow) has handled while it
    /// was in, before the program goes on; and after a session was opened meanwhile, where sessions take
    /// threads' counters from them ([`Threads::Yield`](crate::Threads::Yield)). Where [`Pmu::lend`] was refused, the program
    /// MUST NOT read the page: it names counters that the program cannot read.
    ///
    /// # Errors
    /// As [`Pmu::thread_counts`]: the context is not bound any more, its counters were taken from it, or it is in on another
    /// CPU. The page then has no counts and names no counter, because the counters may belong to somebody else.
    pub fn publish<const N: usize>(&self, context: &Context<D, N>, page: &UserPage<N>) -> Result<()> {
        // Nobody else is scheduled between the reading and the writing.
        let _scope = Scope::enter(self.driver);
        self.thread_counts(context).inspect_err(|_| page.withdraw())?;
        page.generation.add(1);
        fence();
        let write = || self.write(context, page);
        // An interrupt may change what was written, and nobody would publish it again.
        if self.attempt(write).is_none() {
            self.write_again(context, write);
        }
        fence();
        page.generation.add(1);
        Ok(())
    }

    /// Writes until no interrupt comes meanwhile.
    #[cold]
    #[inline(never)]
    fn write_again<const N: usize>(&self, context: &Context<D, N>, write: impl Fn()) {
        if let Ok(operation) = (*self).enter() {
            operation.read_again(context.counters(), write);
        }
    }

    /// Writes where each count is, or the count itself if it has no counter that counts.
    fn write<const N: usize>(&self, context: &Context<D, N>, page: &UserPage<N>) {
        for request in 0..N {
            match context.slot_of(request) {
                Some(slot) => self.write_slot(slot, request, page),
                None if request < context.requests().len() => page.write(request, None, 0, context.count(request)),
                None => page.clear(request),
            }
        }
    }

    /// Writes where the count of the request on this slot is. Clears the entry if the counter counts and no program can read
    /// it.
    fn write_slot<const N: usize>(&self, slot: &Slot, request: usize, page: &UserPage<N>) {
        let (counter, base) = (self.driver.counter(slot), self.shared.counting.base(slot.counter).get());
        let counts = self.shared.counting.running().contains(slot.counter);
        match counter.user_index {
            Some(index) if counts => {
                let offset = base.wrapping_add(self.driver.user_offset());
                page.write(request, Some(index), counter.width.flip(), offset);
            }
            None if counts => page.clear(request),
            _ => {
                let position = counter.width.position(self.driver.read(counter.handle));
                page.write(request, None, 0, base.wrapping_add(position));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    #[test]
    fn a_request_without_a_counter_has_the_count_that_was_saved() {
        let page = UserPage::<2>::new();
        page.write(1, None, 0, 77);
        assert_eq!(page.read(1, |_| unreachable!("there is no counter")), Some(77));
        assert_eq!(page.read(2, |_| 0), None);
    }

    #[test]
    fn counts_that_were_saved_are_read_together_with_those_of_counters() {
        let page = UserPage::<3>::new();
        page.write(0, Some(3), 0, 1000);
        page.write(1, Some(4), 0, 2000);
        page.write(1, None, 0, 77);
        assert_eq!(page.read_all(u64::from), [1003, 77, 0]);
    }

    #[test]
    fn a_change_amid_a_reading_is_noticed() {
        let page = UserPage::<1>::new();
        page.write(0, Some(3), 0, 1000);
        let moved = Cell::new(false);
        let counter = |index| {
            if !moved.replace(true) {
                // Switched out amid the reading, and in on another counter.
                page.write(0, Some(5), 0, 2000);
                page.generation.add(1);
            }
            u64::from(index)
        };
        assert_eq!(page.read(0, counter), Some(2005));
    }

    #[test]
    fn counts_that_are_read_together_are_of_the_same_moment() {
        let page = UserPage::<2>::new();
        page.write(0, Some(3), 0, 1000);
        page.write(1, Some(4), 0, 2000);
        let moved = Cell::new(false);
        let counter = |index| {
            if index == 4 && !moved.replace(true) {
                // Switched out behind the first one's reading.
                page.write(0, None, 0, 1010);
                page.write(1, None, 0, 2020);
                page.generation.add(1);
            }
            u64::from(index)
        };
        assert_eq!(page.read_all(counter), [1010, 2020]);
    }
}
