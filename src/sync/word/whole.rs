//! Words on machines with 64-bit atomics.

use crate::sync::atomic::AtomicU64;
use crate::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A word that a thread and the interrupt on its CPU may both write.
#[derive(Default)]
pub(super) struct Atomic(AtomicU64);

impl Atomic {
    pub(super) const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    #[inline(always)]
    pub(super) fn load(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn store(&self, value: u64) {
        self.0.store(value, Relaxed);
    }

    #[inline(always)]
    pub(super) fn publish(&self, value: u64) {
        self.0.store(value, Release);
    }

    #[inline(always)]
    pub(super) fn observe(&self) -> u64 {
        self.0.load(Acquire)
    }

    #[inline(always)]
    pub(super) fn advance(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    pub(super) fn update(&self, change: impl Fn(u64) -> u64) -> u64 {
        let mut before = self.load();
        while let Err(found) = self.0.compare_exchange(before, change(before), Relaxed, Relaxed) {
            before = found;
        }
        before
    }
}

/// Bits that any CPU sets and clears.
pub(super) struct Bits(AtomicU64);

impl Bits {
    pub(super) const fn none() -> Self {
        Self(AtomicU64::new(0))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(super) fn observe(&self) -> u64 {
        self.0.load(Acquire)
    }

    #[inline(always)]
    pub(super) fn include(&self, bits: u64) {
        self.0.fetch_or(bits, Release);
    }

    #[inline(always)]
    pub(super) fn exclude(&self, bits: u64) {
        self.0.fetch_and(!bits, Relaxed);
    }

    #[inline(always)]
    pub(super) fn take(&self) -> u64 {
        self.0.swap(0, Acquire)
    }
}

/// A word that is read only while nobody writes it. The caller makes sure of that.
#[derive(Default)]
pub(super) struct Cell(AtomicU64);

impl Cell {
    pub(super) const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    #[inline(always)]
    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline(always)]
    pub(super) fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}
