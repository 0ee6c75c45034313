//! A profile as a stream that Linux' `perf report` opens.
//!
//! The format is perf's for pipes, which needs no seeking: a short header, then records. Sources:
//! Linux, `tools/perf/Documentation/perf.data-file-format.txt` ("Pipe-mode data", "Attributes"), and
//! perf_event_open(2) with `include/uapi/linux/perf_event.h` (`perf_event_attr`,
//! `perf_event_header`, the comments on each `PERF_RECORD_*`, `PERF_SAMPLE_*`). Everything is written
//! little-endian, whatever the machine; perf takes the byte order from the header's magic number.
//!
//! Records come in this order: [`PerfData::begin`] writes the header and the event's attributes;
//! [`PerfData::image`] says at which addresses a program is; [`PerfData::name`] names a thread's
//! process; then come samples, and [`PerfData::finish`].
//!
//! # From a kernel's console to a table
//!
//! A kernel that has nothing but a serial line writes [`HexLines`]; on the machine that has heard
//! them:
//!
//! ```sh
//! xxd -r -p heard.txt kernel.data       # nothing but the stream's lines
//! perf report --stdio -i kernel.data    # -g caller, where the stream has chains
//! perf script -i kernel.data -F ip,sym  # each sample, and its chain
//! ```
//! perf looks for the program at [`Image::path`], or at that path within the directory that
//! `--symfs` names. Where the image's code is comes from its program headers (`readelf -lW`): of the
//! segment with the flag E, VirtAddr is [`Image::start`], FileSiz the size and Offset the offset. perf
//! warns that it cannot resolve its own Linux' symbols; it is not asked to.
//!
//! ```
//! use pmu::perf_data::{HexLines, Image, PerfData};
//!
//! let mut console = String::new();
//! let mut stream = PerfData::begin(HexLines::new(&mut console), 10_007)?;
//! stream.image(&Image { path: "/tmp/kernel.elf", start: 0x10_0000, size: 0x8000, offset: 0x1000 })?;
//! // samples.try_for_each(|sample| stream.sample(&sample))?;
//! stream.finish()?.finish()?;
//! assert!(console.starts_with("504552")); // "PER"; `xxd -r -p` makes it bytes again
//! # Ok::<(), core::fmt::Error>(())
//! ```

use core::fmt;

use crate::chain::Chain;
use crate::profile::Hits;
use crate::sample::Sample;

mod sink;

pub use sink::{HexLines, Sink};

/// A program's code in memory, and the file that perf finds its symbols in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image<'a> {
    /// The ELF file, where `perf report` will run.
    pub path: &'a str,
    /// The address of its first byte of code.
    pub start: u64,
    /// How many bytes of code it has.
    pub size: u64,
    /// Where in the file those bytes begin.
    pub offset: u64,
}

/// `PERFILE2`, as the little-endian number that perf compares.
const MAGIC: [u8; 8] = *b"PERFILE2";
/// The size of a pipe's header.
const HEADER: u64 = 16;
/// The size of `perf_event_attr` as it was first published: `PERF_ATTR_SIZE_VER0`.
const ATTRIBUTES: u32 = 64;
/// The size of `perf_event_header`.
const RECORD: usize = 8;
/// `PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD`.
const SAMPLED: u64 = 1 << 0 | 1 << 1 | 1 << 8;
/// `PERF_SAMPLE_CALLCHAIN`.
const CALL_CHAIN: u64 = 1 << 5;
/// `PERF_CONTEXT_USER`: what follows in a chain are addresses of user code.
const USER_CONTEXT: u64 = (-512_i64).cast_unsigned();
/// The process that all threads are of: perf takes a sample's symbols from its process's images. It
/// has the greatest number, so that no thread of a kernel's is taken for it.
const PROCESS: u32 = i32::MAX as u32;
/// The longest name of a thread, with its end: `TASK_COMM_LEN` of prctl(2), `PR_SET_NAME`.
const NAME: usize = 16;

/// Types of records: `PERF_RECORD_*`, and perf's own from 64 on.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Type {
    Mmap = 1,
    Comm = 3,
    Sample = 9,
    Attributes = 64,
    FinishedRound = 68,
}

/// `PERF_RECORD_MISC_*`: where the processor was.
#[derive(Clone, Copy)]
#[repr(u16)]
enum Misc {
    None = 0,
    User = 2,
}

/// A stream that is being written: one event, one image, any number of samples.
///
/// Every sample is written as one of user code in one process, whatever its mode was: perf looks for
/// the kernel's symbols in the Linux that it runs on, and for a program's in the file that
/// [`Image::path`] names. Threads keep their numbers, but for 0, which is Linux' own idle task to
/// perf and has no images: it is written as the process itself, number 2^31 - 1.
#[derive(Debug)]
pub struct PerfData<S> {
    sink: S,
    period: u64,
    /// What samples have: `PERF_SAMPLE_*`.
    sampled: u64,
}

impl<S: Sink> PerfData<S> {
    /// Writes the header and what perf has to know of the event: its period. It is shown as cycles.
    ///
    /// # Errors
    /// The sink's, here and in all that follows.
    pub fn begin(sink: S, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, period, SAMPLED)
    }

    /// The same, of samples with their chains: [`PerfData::chained`].
    ///
    /// # Errors
    /// The sink's.
    pub fn begin_chained(sink: S, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, period, SAMPLED | CALL_CHAIN)
    }

    fn begin_with(sink: S, period: u64, sampled: u64) -> Result<Self, fmt::Error> {
        let mut stream = Self { sink, period, sampled };
        stream.sink.write(&MAGIC)?;
        stream.word(HEADER)?;
        stream.attributes()?;
        Ok(stream)
    }

    /// `PERF_RECORD_HEADER_ATTR`: hardware event 0, cycles, and one number by which it is known.
    fn attributes(&mut self) -> fmt::Result {
        self.record(Type::Attributes, Misc::None, ATTRIBUTES as usize + 8)?;
        self.half(0)?; // type: PERF_TYPE_HARDWARE
        self.half(ATTRIBUTES)?;
        self.word(0)?; // config: PERF_COUNT_HW_CPU_CYCLES
        self.word(self.period)?;
        self.word(self.sampled)?;
        [0; 4].into_iter().try_for_each(|word| self.word(word))?; // read_format, flags, wakeup, config1
        self.word(1) // id
    }

    /// `PERF_RECORD_MMAP`: where a program's code is.
    ///
    /// # Errors
    /// The sink's, or the path is longer than 4095 bytes (Linux' `PATH_MAX`, with its end 4096), or has
    /// a zero in it; then nothing was written.
    pub fn image(&mut self, image: &Image<'_>) -> fmt::Result {
        let path = image.path.as_bytes();
        if path.len() >= 4096 || path.contains(&0) {
            return Err(fmt::Error);
        }
        self.record(Type::Mmap, Misc::User, 32 + padded(path.len()))?;
        self.half(PROCESS)?;
        self.half(PROCESS)?;
        [image.start, image.size, image.offset].into_iter().try_for_each(|word| self.word(word))?;
        self.text(path)
    }

    /// `PERF_RECORD_COMM`: what a thread is called, cut off behind 15 bytes. A thread without a name is
    /// printed by its number.
    ///
    /// # Errors
    /// The sink's.
    pub fn name(&mut self, thread: u32, name: &str) -> fmt::Result {
        let name = name.bytes().take(NAME - 1).take_while(|&byte| byte != 0);
        let mut bytes = [0; NAME];
        bytes.iter_mut().zip(name).for_each(|(place, byte)| *place = byte);
        self.record(Type::Comm, Misc::None, 8 + NAME)?;
        self.half(PROCESS)?;
        self.half(known(thread))?;
        self.sink.write(&bytes)
    }

    /// `PERF_RECORD_SAMPLE`: address, process and thread, period.
    ///
    /// # Errors
    /// The sink's.
    pub fn sample(&mut self, sample: &Sample) -> fmt::Result {
        self.hit(sample.address, sample.thread, self.period, &[])
    }

    /// The same, with the callers of the code that was interrupted, as
    /// [`Chained`](crate::chain::Chained) hands them out.
    ///
    /// # Errors
    /// The sink's; or the stream was not begun with [`PerfData::begin_chained`], or there are more
    /// than 8,184 callers, the most that a record has room for: then nothing was written.
    pub fn chained<const DEPTH: usize>(&mut self, sample: &Sample, chain: Option<&Chain<DEPTH>>) -> fmt::Result {
        if !self.has_chains() {
            return Err(fmt::Error);
        }
        self.hit(sample.address, sample.thread, self.period, chain.map_or(&[], Chain::callers))
    }

    /// The samples of one address at once, of a [`Profile`](crate::profile::Profile) for instance:
    /// perf weighs a sample by its events.
    ///
    /// # Errors
    /// The sink's.
    pub fn hits(&mut self, hits: Hits) -> fmt::Result {
        self.hit(hits.address, 0, self.period.saturating_mul(hits.samples), &[])
    }

    const fn has_chains(&self) -> bool {
        self.sampled & CALL_CHAIN != 0
    }

    fn hit(&mut self, address: u64, thread: u32, events: u64, callers: &[u64]) -> fmt::Result {
        let chain = if self.has_chains() { 24 + 8 * callers.len() } else { 0 };
        self.record(Type::Sample, Misc::User, 24 + chain)?;
        self.word(address)?;
        self.half(PROCESS)?;
        self.half(known(thread))?;
        self.word(events)?;
        if self.has_chains() { self.chain(address, callers) } else { Ok(()) }
    }

    /// How many words, whose code it is, the sampled address and its callers, as Linux writes them.
    fn chain(&mut self, address: u64, callers: &[u64]) -> fmt::Result {
        self.word(2 + callers.len() as u64)?;
        self.word(USER_CONTEXT)?;
        self.word(address)?;
        callers.iter().try_for_each(|&caller| self.word(caller))
    }

    /// `PERF_RECORD_FINISHED_ROUND`, and the end; answers the sink.
    ///
    /// # Errors
    /// The sink's.
    pub fn finish(mut self) -> Result<S, fmt::Error> {
        self.record(Type::FinishedRound, Misc::None, 0)?;
        Ok(self.sink)
    }

    /// `perf_event_header`, with the size of what follows.
    fn record(&mut self, kind: Type, misc: Misc, size: usize) -> fmt::Result {
        let size = u16::try_from(RECORD + size).map_err(|_| fmt::Error)?;
        self.half(kind as u32)?;
        self.sink.write(&(misc as u16).to_le_bytes())?;
        self.sink.write(&size.to_le_bytes())
    }

    fn half(&mut self, value: u32) -> fmt::Result {
        self.sink.write(&value.to_le_bytes())
    }

    fn word(&mut self, value: u64) -> fmt::Result {
        self.sink.write(&value.to_le_bytes())
    }

    /// Text, its end, and zeros up to the next multiple of 8.
    fn text(&mut self, text: &[u8]) -> fmt::Result {
        self.sink.write(text)?;
        (text.len()..padded(text.len())).try_for_each(|_| self.sink.write(&[0]))
    }
}

/// The number that perf knows a thread by.
const fn known(thread: u32) -> u32 {
    if thread == 0 { PROCESS } else { thread }
}

/// How long a text is with its end, up to a multiple of 8.
const fn padded(length: usize) -> usize {
    (length + 1).next_multiple_of(8)
}
