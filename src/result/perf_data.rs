//! Writes samples and profiles as a stream that Linux' `perf report` opens.
//!
//! The format is perf's pipe format, which needs no seeking: a short header, then records. Sources:
//! Linux, `tools/perf/Documentation/perf.data-file-format.txt` ("Pipe-mode data", "Attributes"), and
//! perf_event_open(2) with `include/uapi/linux/perf_event.h` (`perf_event_attr`,
//! `perf_event_header`, the comments on each `PERF_RECORD_*`, `PERF_SAMPLE_*`). Everything is written
//! little-endian on all machines; perf takes the byte order from the header's magic number.
//!
//! The order of the records is: [`PerfData::begin`] writes the header, the event's attributes and its name,
//! [`PerfData::kernel`] the addresses of the kernel, [`PerfData::map`] those of a program in a process, and
//! [`PerfData::name`] the name of a thread. Samples follow, and [`PerfData::finish`] ends the stream. A process that
//! begins later has its records among the samples.
//!
//! # From a kernel's console to a table
//!
//! A kernel that has only a serial line writes [`HexLines`]. On the machine that receives them:
//!
//! ```sh
//! xxd -r -p heard.txt kernel.data                                          # nothing but the stream's lines
//! perf report --stdio -i kernel.data -k $PWD/kernel.elf --demangle-kernel  # -g caller, where the stream has chains
//! perf script -i kernel.data -k $PWD/kernel.elf --demangle-kernel -F comm,pid,ip,sym  # each sample, and its chain
//! perf script -i kernel.data -G -F ip,brstack  # each sample, and its branches, where the stream has them
//! perf script -i kernel.data -F ip,addr,weight,data_src  # each precise record
//! perf mem -i kernel.data report --stdio -k $PWD/kernel.elf  # precise records by latency, source and data
//! ```
//! perf takes the kernel's symbols from the ELF file that `-k` names by its whole path: without it, perf looks for them in
//! the Linux that it runs on. It looks for a program's at [`Mapping::path`], or at that path in the directory that
//! `--symfs` names. The program headers (`readelf -lW`) say where the code is: in the segment with the flag E, VirtAddr
//! is the address that it is linked for, FileSiz the size and Offset the offset.
//!
//! ```
//! use pmu::output::{perf_data::HexLines, perf_data::Mapping, perf_data::PerfData};
//!
//! let mut console = String::new();
//! let mut stream = PerfData::begin(HexLines::new(&mut console), "INST_RETIRED.ANY", 10_007)?;
//! stream.kernel(0x10_0000..0x10_8000)?;
//! stream.name(1, 1, "init")?;
//! stream.map(1, &Mapping { path: "/init", start: 0x40_1000, size: 0x2000, offset: 0x1000 })?;
//! // samples.try_for_each(|sample| stream.sample(process_of(sample.thread), &sample))?;
//! stream.finish()?.finish()?;
//! assert!(console.starts_with("504552")); // "PER"; `xxd -r -p` makes it bytes again
//! # Ok::<(), core::fmt::Error>(())
//! ```

use core::fmt;
use core::ops::Range;

use crate::event::{Branch, Mode, Record};
use crate::result::profile::Hits;
use crate::sample::Sample;
use crate::sample::chain::Chain;

mod access;
mod branches;
mod record;
mod sample;
mod sink;

use access::Access;
use record::{Misc, Type};
use sample::{ACCESS, BRANCH_STACK, CALL_CHAIN, Details, SAMPLED};
pub use sink::{HexLines, Sink};

/// Where the code of an image is in a process's memory: of its program, or of a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mapping<'a> {
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
/// The size of `perf_event_attr` with what is sampled of branches: `PERF_ATTR_SIZE_VER2`.
const ATTRIBUTES: u32 = 80;
/// The size of `perf_event_header`.
const RECORD: usize = 8;
/// `PROT_READ | PROT_EXEC`, and `MAP_PRIVATE`.
const CODE: [u32; 2] = [1 | 4, 2];
/// The number that is written for 0, which perf takes for Linux' idle task. It is the greatest, so that no process and no
/// thread of a kernel has it.
const NUMBERLESS: u32 = i32::MAX as u32;
/// The process whose mappings are the kernel's: -1.
const NO_PROCESS: u32 = u32::MAX;
/// The path by which perf knows the kernel's mapping (`tools/perf/util/machine.c`).
const KERNEL: &[u8] = b"[kernel.kallsyms]";
/// `PERF_TYPE_RAW`: an event of the processor's own.
const RAW: u32 = 4;
/// `PERF_EVENT_UPDATE__NAME`, of perf's `perf_record_event_update`.
const UPDATES_NAME: u64 = 2;
/// The event's identifier in this stream.
const ID: u64 = 1;
/// The longest text: Linux' `PATH_MAX`, with the text's end 4096.
const TEXT: usize = 4095;
/// The longest name of a thread, with its end: `TASK_COMM_LEN` of prctl(2), `PR_SET_NAME`.
const NAME: usize = 16;

/// Writes a stream: one event, the kernel, any number of processes, images and samples.
///
/// A sample of [`Mode::User`] gets its symbols from the mappings of its process, any other from the kernel.
/// Processes and threads keep their numbers, except 0, which perf takes for Linux' idle task. It is written as 2^31 - 1.
/// A kernel that has no processes gives 0 for all.
#[derive(Debug)]
pub struct PerfData<S> {
    sink: S,
    period: u64,
    /// The fields of a sample: `PERF_SAMPLE_*`.
    sampled: u64,
}

impl<S: Sink> PerfData<S> {
    /// Writes the header, and the event: its attributes, the name that perf shows, and its period.
    ///
    /// # Errors
    /// Those of the sink, here and in all that follows. Also if the name is longer than 4095 bytes or contains a zero;
    /// nothing was written then.
    pub fn begin(sink: S, event: &str, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, event, period, SAMPLED)
    }

    /// Like [`PerfData::begin`], for samples with chains, which [`PerfData::chained`] writes.
    ///
    /// # Errors
    /// Those of [`PerfData::begin`].
    pub fn begin_chained(sink: S, event: &str, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, event, period, SAMPLED | CALL_CHAIN)
    }

    /// Like [`PerfData::begin`], for samples with branches, which [`PerfData::branched`] writes. The stream tells
    /// perf that all branches in user mode and in the kernel were recorded, whatever the filter was.
    ///
    /// # Errors
    /// Those of [`PerfData::begin`].
    pub fn begin_with_branches(sink: S, event: &str, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, event, period, SAMPLED | BRANCH_STACK)
    }

    /// Like [`PerfData::begin`], for what sampling hardware records, which [`PerfData::precise`] writes: `perf mem report` reads
    /// it.
    ///
    /// # Errors
    /// Those of [`PerfData::begin`].
    pub fn begin_precise(sink: S, event: &str, period: u64) -> Result<Self, fmt::Error> {
        Self::begin_with(sink, event, period, SAMPLED | ACCESS)
    }

    fn begin_with(sink: S, event: &str, period: u64, sampled: u64) -> Result<Self, fmt::Error> {
        let name = text(event)?;
        let mut stream = Self { sink, period, sampled };
        stream.sink.write(&MAGIC)?;
        stream.word(HEADER)?;
        stream.attributes()?;
        stream.event_name(name)?;
        Ok(stream)
    }

    /// `PERF_RECORD_HEADER_ATTR`: an event of the processor's own, and its identifier.
    fn attributes(&mut self) -> fmt::Result {
        self.record(Type::Attributes, Misc::NONE, ATTRIBUTES as usize + 8)?;
        self.halves(RAW, ATTRIBUTES)?;
        self.word(0)?; // config: the name says which event it is
        self.word(self.period)?;
        self.word(self.sampled)?;
        [0; 5].into_iter().try_for_each(|word| self.word(word))?; // read_format, flags, wakeup, config1, config2
        self.word(if self.has(BRANCH_STACK) { branches::SAMPLED } else { 0 })?;
        self.word(ID)
    }

    /// `PERF_RECORD_EVENT_UPDATE`: the name of the event.
    fn event_name(&mut self, name: &[u8]) -> fmt::Result {
        self.record(Type::EventUpdate, Misc::NONE, 16 + padded(name.len()))?;
        self.word(UPDATES_NAME)?;
        self.word(ID)?;
        self.text(name)
    }

    /// Writes `PERF_RECORD_MMAP2` for the kernel: the addresses of its code.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn kernel(&mut self, code: Range<u64>) -> fmt::Result {
        let size = code.end.saturating_sub(code.start);
        self.mapping(Misc::KERNEL, [NO_PROCESS, 0], [code.start, size, 0], KERNEL)
    }

    /// Writes `PERF_RECORD_MMAP2`: an image in the memory of a process. It is for the samples that follow.
    ///
    /// # Errors
    /// Those of the sink. Also if the path is longer than 4095 bytes or contains a zero; nothing was written then.
    pub fn map(&mut self, process: u32, image: &Mapping<'_>) -> fmt::Result {
        let path = text(image.path)?;
        self.mapping(Misc::USER, [number(process); 2], [image.start, image.size, image.offset], path)
    }

    fn mapping(&mut self, misc: Misc, [process, thread]: [u32; 2], place: [u64; 3], path: &[u8]) -> fmt::Result {
        self.record(Type::Mmap2, misc, 64 + padded(path.len()))?;
        self.halves(process, thread)?;
        place.into_iter().try_for_each(|word| self.word(word))?;
        [0; 3].into_iter().try_for_each(|word| self.word(word))?; // device, inode and its generation: the path says it
        let [protection, flags] = CODE;
        self.halves(protection, flags)?;
        self.text(path)
    }

    /// Writes `PERF_RECORD_COMM`: a thread's name, of which the first 15 bytes are used. perf prints a thread
    /// without a name by its number.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn name(&mut self, process: u32, thread: u32, name: &str) -> fmt::Result {
        let name = name.bytes().take(NAME - 1).take_while(|&byte| byte != 0);
        let mut bytes = [0; NAME];
        bytes.iter_mut().zip(name).for_each(|(place, byte)| *place = byte);
        self.record(Type::Comm, Misc::NONE, 8 + NAME)?;
        self.numbers(process, thread)?;
        self.sink.write(&bytes)
    }

    /// Writes `PERF_RECORD_SAMPLE`: mode, address, process and thread, period. The kernel knows the process of the
    /// sample's thread.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn sample(&mut self, process: u32, sample: &Sample) -> fmt::Result {
        self.write_sample(
            Misc::of(sample.mode),
            sample.address,
            [process, sample.thread],
            self.period,
            Details::default(),
        )
    }

    /// Writes a sample with its chain, as [`Chained`](crate::samples::chain::Chained) returns them. Its callers are of the
    /// sample's mode.
    ///
    /// # Errors
    /// Those of the sink. Also if the stream was not begun with [`PerfData::begin_chained`], or if there are
    /// more than 8,184 callers, the most that a record has room for; nothing was written then.
    pub fn chained<const DEPTH: usize>(
        &mut self,
        process: u32,
        sample: &Sample,
        chain: Option<&Chain<DEPTH>>,
    ) -> fmt::Result {
        if !self.has(CALL_CHAIN) {
            return Err(fmt::Error);
        }
        let details = Details { callers: chain.map_or(&[], Chain::callers), ..Details::default() };
        self.write_sample(Misc::of(sample.mode), sample.address, [process, sample.thread], self.period, details)
    }

    /// Writes a sample with the branches that led to it, the newest first, as
    /// [`Branched`](crate::branches::Branched) returns them.
    ///
    /// # Errors
    /// Those of the sink. Also if the stream was not begun with [`PerfData::begin_with_branches`], or if there are
    /// more than 2,728 branches, the most that a record has room for; nothing was written then.
    pub fn branched(&mut self, process: u32, sample: &Sample, branches: &[Branch]) -> fmt::Result {
        if !self.has(BRANCH_STACK) {
            return Err(fmt::Error);
        }
        let details = Details { branches, ..Details::default() };
        self.write_sample(Misc::of(sample.mode), sample.address, [process, sample.thread], self.period, details)
    }

    /// Writes what sampling hardware recorded of one instruction: its address, and its data's address, latency and source. What
    /// the record does not know is "not available" to perf, and an address or a latency is 0. If the instruction is not known,
    /// the sample's address is the one that was interrupted. Without the mode, perf finds no symbols.
    ///
    /// # Errors
    /// Those of the sink. Also if the stream was not begun with [`PerfData::begin_precise`]; nothing was written then.
    pub fn precise(&mut self, process: u32, record: &Record) -> fmt::Result {
        if !self.has(ACCESS) {
            return Err(fmt::Error);
        }
        let mode = record.mode.map_or(Misc::NONE, Misc::of);
        let misc = if record.address.is_some() { mode.exact() } else { mode };
        let address = record.address.or(record.interrupted).unwrap_or(0);
        let details = Details { access: Access::of(record), ..Details::default() };
        self.write_sample(misc, address, [process, record.thread], self.period, details)
    }

    /// Writes all samples of one address as one, for example those of a [`Profile`](crate::output::profile::Profile):
    /// perf weighs a sample by its events. An image of a profile can have its number for the process's, and be mapped where
    /// its symbols have it.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn hits(&mut self, process: u32, mode: Mode, hits: Hits) -> fmt::Result {
        let events = self.period.saturating_mul(hits.samples);
        self.write_sample(Misc::of(mode), hits.place.address, [process, 0], events, Details::default())
    }

    /// Writes `PERF_RECORD_FINISHED_ROUND`, ends the stream and returns the sink.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(mut self) -> Result<S, fmt::Error> {
        self.record(Type::FinishedRound, Misc::NONE, 0)?;
        Ok(self.sink)
    }

    /// Writes `perf_event_header`, with the size of what follows.
    fn record(&mut self, kind: Type, misc: Misc, size: usize) -> fmt::Result {
        let size = u16::try_from(RECORD + size).map_err(|_| fmt::Error)?;
        self.halves(kind as u32, misc.bits() | u32::from(size) << 16)
    }

    /// Writes the numbers of a process and of a thread. A thread without one is its process's first, which has its number.
    fn numbers(&mut self, process: u32, thread: u32) -> fmt::Result {
        let thread = if thread == 0 { process } else { thread };
        self.halves(number(process), number(thread))
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

/// Returns the number that perf knows a process or a thread by.
const fn number(number: u32) -> u32 {
    if number == 0 { NUMBERLESS } else { number }
}

/// Returns a text's bytes, if a record has room for them.
fn text(text: &str) -> Result<&[u8], fmt::Error> {
    let bytes = text.as_bytes();
    if bytes.len() > TEXT || bytes.contains(&0) { Err(fmt::Error) } else { Ok(bytes) }
}

/// Returns the length of a text with its end, rounded up to a multiple of 8.
const fn padded(length: usize) -> usize {
    (length + 1).next_multiple_of(8)
}
