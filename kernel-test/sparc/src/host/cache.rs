//! The caches of the virtual processor, as far as its counters tell: which loads and stores refer to the external cache, and
//! which of those miss.
//!
//! They are UltraSPARC II's, both direct-mapped: 16 KB of data in lines of 32 bytes, which stores go through and bring no line
//! into, and 512 KB in lines of 64 bytes ("UltraSPARC User's Manual", "Data Cache" and "External Cache"; 512 KB is the
//! least that it names). References by instructions are not among them, as the host does not see fetches.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::virt::{Kind, Kinds};

/// The kinds of work that are seen here.
pub const KINDS: Kinds = Kinds::NONE.with(Kind::CacheReferences).with(Kind::CacheMisses);

static DATA: Cache<512, 32> = Cache::empty();
static EXTERNAL: Cache<8192, 64> = Cache::empty();

/// A cache of `LINES` lines of `BYTES` bytes: which line of memory each has, one more than its number.
struct Cache<const LINES: usize, const BYTES: u64>([AtomicU64; LINES]);

impl<const LINES: usize, const BYTES: u64> Cache<LINES, BYTES> {
    const fn empty() -> Self {
        Self([const { AtomicU64::new(0) }; LINES])
    }

    fn has(&self, address: u64) -> bool {
        self.place(address).load(Relaxed) == address / BYTES + 1
    }

    fn fill(&self, address: u64) {
        self.place(address).store(address / BYTES + 1, Relaxed);
    }

    fn place(&self, address: u64) -> &AtomicU64 {
        &self.0[(address / BYTES) as usize % LINES]
    }
}

/// Returns what a load or a store of this address does in the external cache.
pub fn refer(address: u64, is_load: bool) -> Kinds {
    if is_load {
        if DATA.has(address) {
            return Kinds::NONE;
        }
        DATA.fill(address);
    }
    let refers = Kinds::NONE.with(Kind::CacheReferences);
    if EXTERNAL.has(address) {
        return refers;
    }
    EXTERNAL.fill(address);
    refers.with(Kind::CacheMisses)
}
