//! Writes samples and profiles as a stream that Linux' `perf report` opens.
//!
//! The format is perf's pipe format, which needs no seeking: a short header, then records. Sources:
//! Linux, `tools/perf/Documentation/perf.data-file-format.txt` ("Pipe-mode data", "Attributes"), and
//! perf_event_open(2) with `include/uapi/linux/perf_event.h` (`perf_event_attr`,
//! `perf_event_header`, the comments on each `PERF_RECORD_*`, `PERF_SAMPLE_*`). Everything is written
//! little-endian on all machines; perf takes the byte order from the header's magic number.
//!
//! The order of the records is: [`PerfData::begin`] writes the header and the event's attributes,
//! [`PerfData::image`] the addresses of a program, and [`PerfData::name`] the name of a thread. Samples follow,
//! and [`PerfData::finish`] ends the stream.
//!
//! # From a kernel's console to a table
//!
//! A kernel that has only a serial line writes [`HexLines`]. On the machine that receives them:
//!
//! ```sh
//! xxd -r -p heard.txt kernel.data       # nothing but the stream's lines
//! perf report --stdio -i kernel.data    # -g caller, where the stream has chains
//! perf script -i kernel.data -F ip,sym  # each sample, and its chain
//! ```
//! perf looks for the program at [`Image::path`], or at that path in the directory that `--symfs` names. The
//! program headers (`readelf -lW`) say where the code is: in the segment with the flag E, VirtAddr is
//! [`Image::start`], FileSiz the size and Offset the offset. perf warns that it cannot resolve symbols of its own
//! Linux; they are not needed.
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

use crate::result::profile::Hits;
use crate::sample::Sample;
use crate::sample::chain::Chain;

mod sink;

pub use sink::{HexLines, Sink};

/// A program's code in memory, and the file that has its symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Image<'a> {
    /// The path of the ELF file on the machine that runs `perf report`.
    pub path: &'a str,
    /// The address of the first byte of code.
    pub start: u64,
    /// The number of bytes of code.
    pub size: u64,
    /// The offset of these bytes in the file.
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
/// The process that all threads belong to, because perf takes a sample's symbols from its process's images. It
/// is the greatest number, so that no thread of a kernel has it.
const PROCESS: u32 = i32::MAX as u32;
/// The longest name of a thread, with its end: `TASK_COMM_LEN` of prctl(2), `PR_SET_NAME`.
const NAME: usize = 16;

/// The types of records: `PERF_RECORD_*`, and perf's own from 64 on.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Type {
    Mmap = 1,
    Comm = 3,
    Sample = 9,
    Attributes = 64,
    FinishedRound = 68,
}

/// `PERF_RECORD_MISC_*`: the mode of the processor.
#[derive(Clone, Copy)]
#[repr(u32)]
enum Misc {
    None = 0,
    User = 2,
}

/// Writes a stream: one event, one image, any number of samples.
///
/// Every sample is written as one of user code in one process, whatever its mode was. perf would look for
/// a kernel's symbols in the Linux that it runs on, but looks for a program's in the file at
/// [`Image::path`]. Threads keep their numbers, except 0, which perf takes for Linux' idle task. It is
/// written as the number of the process, 2^31 - 1.
#[derive(Debug)]
pub struct PerfData<S> {
    sink: S,
    period: u64,
    /// The fields of a sample: `PERF_SAMPLE_*`.
    sampled: u64,
}

impl<S: Sink> PerfData<S> {
    /// Writes the header and the attributes of the event, which is shown as cycles with this period.
    ///
    /// # Errors
    /// Those of the sink, here and in all that follows.
    pub fn begin(sink: S, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, period, SAMPLED)
    }

    /// Like [`PerfData::begin`], for samples with chains, which [`PerfData::chained`] writes.
    ///
    /// # Errors
    /// Those of the sink.
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

    /// `PERF_RECORD_HEADER_ATTR`: hardware event 0, cycles, and its identifier.
    fn attributes(&mut self) -> fmt::Result {
        self.record(Type::Attributes, Misc::None, ATTRIBUTES as usize + 8)?;
        self.halves(0, ATTRIBUTES)?; // type: PERF_TYPE_HARDWARE
        self.word(0)?; // config: PERF_COUNT_HW_CPU_CYCLES
        self.word(self.period)?;
        self.word(self.sampled)?;
        [0; 4].into_iter().try_for_each(|word| self.word(word))?; // read_format, flags, wakeup, config1
        self.word(1) // id
    }

    /// Writes `PERF_RECORD_MMAP`: the addresses of a program's code.
    ///
    /// # Errors
    /// Those of the sink. Also if the path is longer than 4095 bytes (Linux' `PATH_MAX`, with its end 4096) or
    /// contains a zero; nothing was written then.
    pub fn image(&mut self, image: &Image<'_>) -> fmt::Result {
        let path = image.path.as_bytes();
        if path.len() >= 4096 || path.contains(&0) {
            return Err(fmt::Error);
        }
        self.record(Type::Mmap, Misc::User, 32 + padded(path.len()))?;
        self.halves(PROCESS, PROCESS)?;
        [image.start, image.size, image.offset].into_iter().try_for_each(|word| self.word(word))?;
        self.text(path)
    }

    /// Writes `PERF_RECORD_COMM`: a thread's name, of which the first 15 bytes are used. perf prints a thread
    /// without a name by its number.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn name(&mut self, thread: u32, name: &str) -> fmt::Result {
        let name = name.bytes().take(NAME - 1).take_while(|&byte| byte != 0);
        let mut bytes = [0; NAME];
        bytes.iter_mut().zip(name).for_each(|(place, byte)| *place = byte);
        self.record(Type::Comm, Misc::None, 8 + NAME)?;
        self.halves(PROCESS, thread_number(thread))?;
        self.sink.write(&bytes)
    }

    /// Writes `PERF_RECORD_SAMPLE`: address, process and thread, period.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn sample(&mut self, sample: &Sample) -> fmt::Result {
        self.write_sample(sample.address, sample.thread, self.period, &[])
    }

    /// Writes a sample with its chain, as [`Chained`](crate::chain::Chained) returns them.
    ///
    /// # Errors
    /// Those of the sink. Also if the stream was not begun with [`PerfData::begin_chained`], or if there are
    /// more than 8,184 callers, the most that a record has room for; nothing was written then.
    pub fn chained<const DEPTH: usize>(&mut self, sample: &Sample, chain: Option<&Chain<DEPTH>>) -> fmt::Result {
        if !self.has_chains() {
            return Err(fmt::Error);
        }
        self.write_sample(sample.address, sample.thread, self.period, chain.map_or(&[], Chain::callers))
    }

    /// Writes all samples of one address as one, for example those of a [`Profile`](crate::profile::Profile):
    /// perf weighs a sample by its events.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn hits(&mut self, hits: Hits) -> fmt::Result {
        self.write_sample(hits.address, 0, self.period.saturating_mul(hits.samples), &[])
    }

    const fn has_chains(&self) -> bool {
        self.sampled & CALL_CHAIN != 0
    }

    fn write_sample(&mut self, address: u64, thread: u32, events: u64, callers: &[u64]) -> fmt::Result {
        let chain = if self.has_chains() { 24 + 8 * callers.len() } else { 0 };
        self.record(Type::Sample, Misc::User, 24 + chain)?;
        self.word(address)?;
        self.halves(PROCESS, thread_number(thread))?;
        self.word(events)?;
        if self.has_chains() { self.chain(address, callers) } else { Ok(()) }
    }

    /// Writes a chain as Linux does: its length, a marker for user code, the sampled address and its callers.
    fn chain(&mut self, address: u64, callers: &[u64]) -> fmt::Result {
        self.word(2 + callers.len() as u64)?;
        self.word(USER_CONTEXT)?;
        self.word(address)?;
        callers.iter().try_for_each(|&caller| self.word(caller))
    }

    /// Writes `PERF_RECORD_FINISHED_ROUND`, ends the stream and returns the sink.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(mut self) -> Result<S, fmt::Error> {
        self.record(Type::FinishedRound, Misc::None, 0)?;
        Ok(self.sink)
    }

    /// Writes `perf_event_header`, with the size of what follows.
    fn record(&mut self, kind: Type, misc: Misc, size: usize) -> fmt::Result {
        let size = u16::try_from(RECORD + size).map_err(|_| fmt::Error)?;
        self.halves(kind as u32, misc as u32 | u32::from(size) << 16)
    }

    /// Writes two 32-bit words.
    fn halves(&mut self, first: u32, second: u32) -> fmt::Result {
        self.word(u64::from(first) | u64::from(second) << 32)
    }

    fn word(&mut self, value: u64) -> fmt::Result {
        self.sink.write(&value.to_le_bytes())
    }

    /// Writes text, its end, and zeros up to the next multiple of 8.
    fn text(&mut self, text: &[u8]) -> fmt::Result {
        self.sink.write(text)?;
        (text.len()..padded(text.len())).try_for_each(|_| self.sink.write(&[0]))
    }
}

/// Returns the number that perf knows a thread by.
const fn thread_number(thread: u32) -> u32 {
    if thread == 0 { PROCESS } else { thread }
}

/// Returns the length of a text with its end, rounded up to a multiple of 8.
const fn padded(length: usize) -> usize {
    (length + 1).next_multiple_of(8)
}
