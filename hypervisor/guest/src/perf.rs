//! Events of this thread, by Linux' perf_event_open (the manual page perf_event_open(2); the layouts are those of
//! linux/perf_event.h).

#[cfg(target_arch = "x86_64")]
pub mod branches;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd};
use std::{mem, ptr, slice};

/// A generic event (`PERF_TYPE_HARDWARE`), by its number.
#[derive(Clone, Copy)]
pub enum Hardware {
    Cycles = 0,
    Instructions = 1,
    CacheMisses = 3,
    Branches = 4,
}

/// The modes in which an event is counted.
#[derive(Clone, Copy)]
pub enum Modes {
    User,
    Kernel,
    Both,
}

/// `struct perf_event_attr`, version 2.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    config_1: u64,
    config_2: u64,
    branches: u64,
}

const DISABLED: u64 = 1 << 0;
const EXCLUDE_USER: u64 = 1 << 4;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;

const TIME_ENABLED: u64 = 1 << 0;
const TIME_RUNNING: u64 = 1 << 1;
const SAMPLE_ADDRESS: u64 = 1 << 0;

/// This thread, on whichever CPU.
const THIS_THREAD: (i32, i32) = (0, -1);

impl Attributes {
    fn new(what: Hardware, modes: Modes, period: u64) -> Self {
        let excluded = match modes {
            Modes::User => EXCLUDE_KERNEL,
            Modes::Kernel => EXCLUDE_USER,
            Modes::Both => 0,
        };
        Self {
            size: mem::size_of::<Self>() as u32,
            config: what as u64,
            period,
            sample_type: SAMPLE_ADDRESS,
            read_format: TIME_ENABLED | TIME_RUNNING,
            flags: excluded | EXCLUDE_HYPERVISOR,
            ..Self::default()
        }
    }
}

/// An event that is open.
pub struct Event(File);

/// A count, and for how long it was to be taken and was taken.
pub struct Count {
    pub value: u64,
    pub enabled: u64,
    pub running: u64,
}

impl Event {
    /// Opens an event that is enabled later, or with its group's first event.
    pub fn open(what: Hardware, modes: Modes, leader: Option<&Self>) -> io::Result<Self> {
        Self::open_with(what, modes, leader, 0, THIS_THREAD)
    }

    /// Opens one that interrupts after each `period` events.
    pub fn sample(what: Hardware, modes: Modes, period: u64) -> io::Result<Self> {
        Self::open_with(what, modes, None, period, THIS_THREAD)
    }

    /// Opens one of this process, or of any (-1), on this CPU, or on any.
    pub fn open_with(
        what: Hardware,
        modes: Modes,
        leader: Option<&Self>,
        period: u64,
        (process, cpu): (i32, i32),
    ) -> io::Result<Self> {
        Self::open_as(Attributes::new(what, modes, period), leader, (process, cpu))
    }

    fn open_as(mut attributes: Attributes, leader: Option<&Self>, (process, cpu): (i32, i32)) -> io::Result<Self> {
        attributes.flags |= if leader.is_none() { DISABLED } else { 0 };
        let group = leader.map_or(-1, |leader| leader.0.as_raw_fd());
        let no_flags = 0;
        // SAFETY: the attributes have the size that they say.
        let file =
            unsafe { libc::syscall(libc::SYS_perf_event_open, &raw const attributes, process, cpu, group, no_flags) };
        if file < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the file is new, and this is its only owner.
        Ok(Self(unsafe { File::from_raw_fd(file as i32) }))
    }

    /// Reads the count.
    pub fn read(&self) -> io::Result<Count> {
        let mut words = [[0; 8]; 3];
        (&self.0).read_exact(words.as_flattened_mut())?;
        let [value, enabled, running] = words.map(u64::from_le_bytes);
        Ok(Count { value, enabled, running })
    }

    /// Returns its file.
    pub fn descriptor(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// Enables it.
    pub fn enable(&self) {
        const ENABLE: u64 = 0x2400;
        // SAFETY: this request has no argument.
        unsafe { libc::ioctl(self.descriptor(), ENABLE, 0) };
    }
}

/// The ring of an event's samples.
pub struct Ring(*mut u8);

/// The pages of the ring, without the first, which describes it.
const PAGES: usize = 8;
const PAGE: usize = 4096;
/// The offset of `data_head` in the first page.
const HEAD: usize = 1024;
/// `PERF_RECORD_SAMPLE`
const SAMPLE: u32 = 9;

impl Ring {
    /// Maps it.
    pub fn map(event: &Event) -> io::Result<Self> {
        let (length, access) = ((1 + PAGES) * PAGE, libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: a new mapping takes the place of no other.
        let at = unsafe { libc::mmap(ptr::null_mut(), length, access, libc::MAP_SHARED, event.descriptor(), 0) };
        if at == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(Self(at.cast())) }
    }

    /// Returns the addresses of all samples, or `None` if the ring has other records as well, or has wrapped.
    pub fn addresses(&self) -> Option<Vec<u64>> {
        self.samples()?.into_iter().map(|words| <[u64; 1]>::try_from(words).ok().map(|[address]| address)).collect()
    }

    /// Returns the words of each sample.
    fn samples(&self) -> Option<Vec<Vec<u64>>> {
        // SAFETY: the first page has this word, which only the kernel writes, and not now: the event is disabled.
        let head = unsafe { self.0.add(HEAD).cast::<u64>().read_volatile() } as usize;
        if head > PAGES * PAGE {
            return None;
        }
        // SAFETY: the pages behind the first have so many bytes.
        let mut rest = unsafe { slice::from_raw_parts(self.0.add(PAGE), head) };
        let mut samples = Vec::new();
        // A header of 8 bytes, which begins with the type and ends with the size.
        while let Some((header, _)) = rest.split_first_chunk::<8>() {
            let size = usize::from(u16::from_le_bytes([header[6], header[7]]));
            let words = rest.get(8..size).filter(|_| header[..4] == SAMPLE.to_le_bytes())?;
            let words = words.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
            samples.push(words.collect());
            rest = &rest[size..];
        }
        Some(samples)
    }
}
