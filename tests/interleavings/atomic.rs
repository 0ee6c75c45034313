//! Atomics whose every interleaving loom tries, and a CPU on which one interrupts another.
//!
//! Between threads on different CPUs loom also tries every value that the memory model lets an
//! access see. A thread and the interrupt on its own CPU are ordered by the program: what is on a
//! [`Cpu`] gives way at each access, and what interrupts it runs to its end.

use std::cell::RefCell;
use std::sync::OnceLock;

use loom::sync::{Arc, Mutex, atomic};

pub(crate) use atomic::{Ordering, fence};
/// What is on one CPU is ordered already.
pub(crate) use core::sync::atomic::compiler_fence;

/// A CPU: one access, or one interrupt, at a time.
#[derive(Clone)]
pub(crate) struct Cpu(Arc<Mutex<()>>);

loom::thread_local! {
    /// The CPU that this thread gives way on at each access.
    static HERE: RefCell<Option<Cpu>> = RefCell::new(None);
}

impl Cpu {
    /// A CPU on which nothing runs.
    pub(crate) fn idle() -> Self {
        Self(Arc::new(Mutex::new(())))
    }

    /// Runs a thread's work here: interrupts may come before each access.
    pub(crate) fn run<R>(&self, work: impl FnOnce() -> R) -> R {
        HERE.with(|here| here.replace(Some(self.clone())));
        let result = work();
        HERE.with(|here| here.replace(None));
        result
    }

    /// Interrupts what runs here, at any of its accesses.
    pub(crate) fn interrupt<R>(&self, handler: impl FnOnce() -> R) -> R {
        let _all_of_it = self.0.lock();
        handler()
    }
}

fn access<R>(access: impl FnOnce() -> R) -> R {
    let here = HERE.with(|here| here.borrow().clone());
    let _turn = here.as_ref().map(|cpu| cpu.0.lock());
    access()
}

/// One of loom's atomics that can be made in a constant: it exists from its first access on, which
/// MUST happen before any other thread's.
macro_rules! tried {
    ($name:ident, $value:ty) => {
        #[derive(Debug, Default)]
        pub(crate) struct $name {
            first: $value,
            made: OnceLock<atomic::$name>,
        }

        #[allow(dead_code, reason = "each machine uses some of them")]
        impl $name {
            pub(crate) const fn new(first: $value) -> Self {
                Self { first, made: OnceLock::new() }
            }

            fn made(&self) -> &atomic::$name {
                self.made.get_or_init(|| atomic::$name::new(self.first))
            }

            pub(crate) fn load(&self, order: Ordering) -> $value {
                access(|| self.made().load(order))
            }

            pub(crate) fn store(&self, value: $value, order: Ordering) {
                access(|| self.made().store(value, order));
            }

            pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                access(|| self.made().swap(value, order))
            }

            pub(crate) fn compare_exchange(
                &self,
                from: $value,
                to: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                access(|| self.made().compare_exchange(from, to, success, failure))
            }

            pub(crate) fn fetch_or(&self, bits: $value, order: Ordering) -> $value {
                access(|| self.made().fetch_or(bits, order))
            }

            pub(crate) fn fetch_and(&self, bits: $value, order: Ordering) -> $value {
                access(|| self.made().fetch_and(bits, order))
            }
        }
    };
}

tried!(AtomicBool, bool);
tried!(AtomicU32, u32);
tried!(AtomicU64, u64);
tried!(AtomicUsize, usize);

impl AtomicU64 {
    pub(crate) fn fetch_add(&self, more: u64, order: Ordering) -> u64 {
        access(|| self.made().fetch_add(more, order))
    }
}

impl AtomicU32 {
    /// As the standard library's: something may come between the read and the exchange, which is then tried again.
    pub(crate) fn fetch_update(
        &self,
        success: Ordering,
        failure: Ordering,
        change: impl Fn(u32) -> Option<u32>,
    ) -> Result<u32, u32> {
        let mut now = self.load(failure);
        while let Some(next) = change(now) {
            match self.compare_exchange(now, next, success, failure) {
                Ok(before) => return Ok(before),
                Err(other) => now = other,
            }
        }
        Err(now)
    }
}
