//! The stream has the format that perf's documents describe.
//!
//! The expected bytes are written out field by field from `perf.data-file-format.txt` and
//! `perf_event.h`, not recorded from this crate; perf 6.1 opened a stream of this layout.

use core::fmt;

use pmu::branches::{Branch, BranchKind};
use pmu::output::{perf_data::HexLines, perf_data::Mapping, perf_data::PerfData, perf_data::Sink};
use pmu::output::{profile::Hits, profile::Profile};
use pmu::precise::{DataSource, Operation, Record, Translation};
use pmu::samples::{chain::Chain, chain::Chains};
use pmu::{Interrupted, Mode, Sample, Timer};
use proptest::prelude::*;

/// A buffer that takes so many bytes and no more.
struct Buffer {
    bytes: Vec<u8>,
    room: usize,
}

impl Buffer {
    const fn of(room: usize) -> Self {
        Self { bytes: Vec::new(), room }
    }
}

impl Sink for Buffer {
    fn write(&mut self, bytes: &[u8]) -> fmt::Result {
        if self.bytes.len() + bytes.len() > self.room {
            return Err(fmt::Error);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

const INIT: Mapping = Mapping { path: "/init", start: 0x40_1000, size: 0x169, offset: 0x1000 };
const EVENT: &str = "CPU_CLK";
/// The bytes of the header, the event's attributes and its name.
const BEGINNING: usize = 16 + 96 + 32;

/// A sample as a reader gives it.
fn sampled(mode: Mode, address: u64, thread: u32) -> Sample {
    let timer = Timer::<1>::new();
    timer.tick(Interrupted::new(address, mode).in_thread(thread));
    timer.samples().unwrap().next().unwrap()
}

fn begin() -> PerfData<Buffer> {
    PerfData::begin(Buffer::of(usize::MAX), EVENT, 1000).unwrap()
}

/// The bytes after the beginning, of a stream that `write` has written.
fn written(write: impl FnOnce(&mut PerfData<Buffer>) -> fmt::Result) -> Vec<u8> {
    let mut stream = begin();
    write(&mut stream).unwrap();
    stream.finish().unwrap().bytes.split_off(BEGINNING)
}

fn write<S: Sink>(sink: S, addresses: &[u64]) -> Result<S, fmt::Error> {
    let mut stream = PerfData::begin(sink, EVENT, 1000)?;
    stream.kernel(0x10_0000..0x10_8000)?;
    stream.name(3, 5, "init")?;
    stream.map(3, &INIT)?;
    addresses.iter().try_for_each(|&address| stream.sample(3, &sampled(Mode::User, address, 5)))?;
    stream.finish()
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn a_stream_is_byte_for_byte_what_perfs_documents_say() {
    let header = "50455246494c4532 1000000000000000";
    let attributes = "40000000 0000 6000
        04000000 50000000 0000000000000000 e803000000000000 0301000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0000000000000000
        0000000000000000 0100000000000000";
    let event = "4e000000 0000 2000 0200000000000000 0100000000000000 4350555f434c4b00";
    let kernel = "0a000000 0100 6000 ffffffff 00000000
        0000100000000000 0080000000000000 0000000000000000 00000000 00000000 0000000000000000 0000000000000000
        05000000 02000000 5b6b65726e656c2e6b616c6c73796d735d00000000000000";
    let name = "03000000 0000 2000 03000000 05000000 696e697400000000 0000000000000000";
    let image = "0a000000 0200 5000 03000000 03000000
        0010400000000000 6901000000000000 0010000000000000 00000000 00000000 0000000000000000 0000000000000000
        05000000 02000000 2f696e6974000000";
    let sample = "09000000 0200 2000 1011400000000000 03000000 05000000 e803000000000000";
    let end = "44000000 0000 0800";
    let wanted = hexadecimal(&[header, attributes, event, kernel, name, image, sample, end].concat());
    assert_eq!(write(Buffer::of(usize::MAX), &[0x40_1110]).unwrap().bytes, wanted);
}

#[test]
fn a_sample_of_the_kernel_is_told_from_one_of_its_process() {
    let bytes = written(|stream| {
        stream.sample(3, &sampled(Mode::User, 0x40_1110, 5))?;
        stream.sample(3, &sampled(Mode::Kernel, 0x10_1110, 5))?;
        stream.sample(3, &sampled(Mode::Hypervisor, 0x10_1110, 5))
    });
    let of = |misc| format!("09000000 {misc} 2000 1011100000000000 03000000 05000000 e803000000000000");
    assert_eq!(bytes[32..96], hexadecimal(&(of("0100") + &of("0100"))));
    assert_eq!(bytes[4..6], [2, 0]);
}

#[test]
fn lines_in_hexadecimal_are_the_same_bytes() {
    let mut console = String::new();
    write(HexLines::new(&mut console), &[0x40_1110]).unwrap().finish().unwrap();
    assert_eq!(hexadecimal(&console), write(Buffer::of(usize::MAX), &[0x40_1110]).unwrap().bytes);
    assert!(console.ends_with('\n') && console.lines().all(|line| line.len() <= 64));
}

#[test]
fn a_console_is_given_whole_lines_however_the_bytes_come() {
    let bytes: Vec<u8> = (0..=255).collect();
    let mut whole = String::new();
    let mut lines = HexLines::new(&mut whole);
    lines.write(&bytes[..250]).unwrap();
    lines.finish().unwrap();
    let wanted: String = bytes[..250]
        .chunks(32)
        .map(|line| line.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
        .collect();
    assert_eq!(whole, wanted);
    for size in [1, 3, 31, 33, 64] {
        let mut console = String::new();
        let mut lines = HexLines::new(&mut console);
        bytes[..250].chunks(size).for_each(|part| lines.write(part).unwrap());
        lines.finish().unwrap();
        assert_eq!(console, wanted, "{size} bytes at once");
    }
}

#[test]
fn a_profiles_samples_of_an_address_are_one_that_weighs_as_much() {
    let mut profile = Profile::<4>::new();
    profile.add(0x40_1110, 3);
    let bytes = written(|stream| profile.hits().iter().try_for_each(|&hits| stream.hits(7, Mode::User, hits)));
    let sample = hexadecimal("09000000 0200 2000 1011400000000000 07000000 07000000 b80b000000000000");
    assert_eq!(bytes[..32], sample);
}

/// As [`sampled`], with these callers.
fn chained(mode: Mode, address: u64, callers: &[u64]) -> (Sample, Option<Chain<8>>) {
    let (timer, chains) = (Timer::<1>::new(), Chains::<8, 1>::new());
    timer.tick_chained(Interrupted::new(address, mode).in_thread(5), &chains, |chain| {
        let _ = callers.iter().all(|&caller| chain.push(caller));
        Ok(())
    });
    chains.pair(timer.samples().unwrap()).unwrap().next().unwrap()
}

#[test]
fn a_sample_with_its_chain_is_byte_for_byte_what_perfs_documents_say() {
    let attributes = "40000000 0000 6000
        04000000 50000000 0000000000000000 e803000000000000 2301000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0000000000000000
        0000000000000000 0100000000000000";
    let sample = "09000000 0200 4800 1011400000000000 ffffff7f 05000000 e803000000000000
        0400000000000000 00feffffffffffff 1011400000000000 1112400000000000 2212400000000000";
    let alone = "09000000 0100 3800 1011400000000000 ffffff7f 05000000 e803000000000000
        0200000000000000 80ffffffffffffff 1011400000000000";
    let mut stream = PerfData::begin_chained(Buffer::of(usize::MAX), EVENT, 1000).unwrap();
    let (sample_of, chain) = chained(Mode::User, 0x40_1110, &[0x40_1211, 0x40_1222]);
    stream.chained(0, &sample_of, chain.as_ref()).unwrap();
    let kernels = sampled(Mode::Kernel, 0x40_1110, 5);
    stream.chained::<8>(0, &kernels, None).unwrap();
    stream.sample(0, &kernels).unwrap();
    let bytes = stream.finish().unwrap().bytes;
    assert_eq!(bytes[16..112], hexadecimal(attributes));
    assert_eq!(bytes[BEGINNING..], hexadecimal(&[sample, alone, alone, "44000000 0000 0800"].concat()));
}

#[test]
fn a_chain_in_a_stream_without_is_refused_before_anything_is_written() {
    let (sample, chain) = chained(Mode::User, 1, &[2]);
    let bytes = written(|stream| {
        assert!(stream.chained(1, &sample, chain.as_ref()).is_err());
        Ok(())
    });
    assert_eq!(bytes.len(), 8);
}

/// Three branches: all that is known, nothing, and more cycles than perf has bits for.
fn branches() -> [Branch; 3] {
    let mut known = Branch::new(0x40_1211, 0x40_1110).of_kind(BranchKind::Return);
    (known.is_mispredicted, known.cycles) = (Some(true), Some(12));
    let mut long = Branch::new(0x40_1222, 0x40_1210).of_kind(BranchKind::IndirectCall);
    (long.is_mispredicted, long.cycles) = (Some(false), Some(70_000));
    [known, Branch::new(0, 0x40_1233), long]
}

#[test]
fn a_sample_with_its_branches_is_byte_for_byte_what_perfs_documents_say() {
    let attributes = "40000000 0000 6000
        04000000 50000000 0000000000000000 e803000000000000 0309000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0000000000000000
        0b00010000000000 0100000000000000";
    let sample = "09000000 0200 7000 1011400000000000 03000000 05000000 e803000000000000 0300000000000000
        1112400000000000 1011400000000000 c100600000000000
        0000000000000000 3312400000000000 0000000000000000
        2212400000000000 1012400000000000 f2ff5f0000000000";
    let alone = "09000000 0100 2800 1011400000000000 03000000 05000000 e803000000000000 0000000000000000";
    let mut stream = PerfData::begin_with_branches(Buffer::of(usize::MAX), EVENT, 1000).unwrap();
    stream.branched(3, &sampled(Mode::User, 0x40_1110, 5), &branches()).unwrap();
    stream.sample(3, &sampled(Mode::Kernel, 0x40_1110, 5)).unwrap();
    assert!(stream.chained::<1>(3, &sampled(Mode::Kernel, 1, 5), None).is_err());
    let bytes = stream.finish().unwrap().bytes;
    assert_eq!(bytes[16..112], hexadecimal(attributes));
    assert_eq!(bytes[BEGINNING..], hexadecimal(&[sample, alone, "44000000 0000 0800"].concat()));
}

#[test]
fn branches_that_have_no_room_or_no_place_are_refused_before_anything_is_written() {
    let sample = sampled(Mode::User, 1, 5);
    let bytes = written(|stream| {
        assert!(stream.branched(1, &sample, &branches()).is_err());
        Ok(())
    });
    assert_eq!(bytes.len(), 8);
    let mut stream = PerfData::begin_with_branches(Buffer::of(usize::MAX), EVENT, 1000).unwrap();
    assert!(stream.branched(1, &sample, &[Branch::new(1, 2); 2729]).is_err());
    stream.branched(1, &sample, &[Branch::new(1, 2); 2728]).unwrap();
    assert_eq!(stream.finish().unwrap().bytes.len(), BEGINNING + 40 + 24 * 2728 + 8);
}

#[test]
fn a_precise_record_is_byte_for_byte_what_perfs_documents_say() {
    let attributes = "40000000 0000 6000
        04000000 50000000 0000000000000000 e803000000000000 0bc1000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0000000000000000
        0000000000000000 0100000000000000";
    // The hops, that nothing is known of what blocked, the level by its number, the TLB, that it was locked, the level, a load.
    let source = 1_u64 << 43 | 1 << 40 | 1 << 37 | 0xB << 33 | 0x12 << 26 | 2 << 24 | 1 << 19 | 0x402 << 5 | 2;
    let known = format!(
        "09000000 0240 3800 1011400000000000 03000000 05000000 4000007000000000 e803000000000000
        9c01000000000000 {:016x}",
        source.swap_bytes()
    );
    // PERF_MEM_*_NA throughout.
    let nothing = 1_u64 << 40 | 1 << 26 | 1 << 24 | 1 << 19 | 1 << 5 | 1;
    let unknown = |header, address| {
        let nothing = nothing.swap_bytes();
        format!(
            "09000000 {header} 3800 {address} 03000000 05000000 {:016x} e803000000000000 {:016x} {nothing:016x}",
            0, 0
        )
    };
    let mut load = Record::new(0x40_1110);
    (load.mode, load.thread, load.operation) = (Some(Mode::User), 5, Some(Operation::Load));
    (load.data_address, load.latency, load.source) = (Some(0x7000_0040), Some(412), Some(DataSource::NearCache));
    (load.is_locked, load.translation) = (Some(true), Some(Translation::Level2));
    let mut interrupted = Record::default();
    (interrupted.interrupted, interrupted.mode, interrupted.thread) = (Some(0x40_1210), Some(Mode::Kernel), 5);
    let mut stopped = Record::new(0x40_1110);
    stopped.thread = 5;
    let mut stream = PerfData::begin_precise(Buffer::of(usize::MAX), EVENT, 1000).unwrap();
    [load, interrupted, stopped].iter().for_each(|record| stream.precise(3, record).unwrap());
    stream.sample(3, &sampled(Mode::Kernel, 0x40_1110, 5)).unwrap();
    let bytes = stream.finish().unwrap().bytes;
    let at = "1011400000000000";
    let others = [unknown("0100", "1012400000000000"), unknown("0040", at), unknown("0100", at)];
    assert_eq!(bytes[16..112], hexadecimal(attributes));
    assert_eq!(bytes[BEGINNING..], hexadecimal(&[known, others.concat(), "44000000 0000 0800".into()].concat()));
}

#[test]
fn a_precise_record_in_a_stream_without_is_refused_before_anything_is_written() {
    let bytes = written(|stream| {
        assert!(stream.precise(1, &Record::new(1)).is_err());
        Ok(())
    });
    assert_eq!(bytes.len(), 8);
}

#[test]
fn a_thread_or_process_without_a_number_is_not_taken_for_linux_idle_task() {
    let bytes = written(|stream| {
        stream.sample(0, &sampled(Mode::Kernel, 0x40_1110, 0))?;
        stream.sample(3, &sampled(Mode::Kernel, 0x40_1110, 0))?;
        stream.name(0, 0, "kernel")
    });
    assert_eq!(bytes[16..24], hexadecimal("ffffff7f ffffff7f"));
    assert_eq!(bytes[48..56], hexadecimal("03000000 03000000"));
    assert_eq!(bytes[72..80], hexadecimal("ffffff7f ffffff7f"));
}

/// Lengths about a multiple of 8, which leave room for the text's end or do not, and the longest; and what a text of that
/// length takes with its end.
const LENGTHS: [(usize, u16); 8] =
    [(0, 8), (7, 8), (8, 16), (15, 16), (16, 24), (4087, 4088), (4088, 4096), (4095, 4096)];

/// Checks that a record of `before` bytes and a text is as long as its header says, and that the text has an end.
#[track_caller]
fn is_a_record_with(bytes: &[u8], before: u16, text: &str, takes: u16) {
    assert_eq!(bytes[6..8], (before + takes).to_le_bytes(), "{} bytes", text.len());
    let (record, rest) = bytes.split_at((before + takes).into());
    let field = &record[before.into()..];
    assert!(field.starts_with(text.as_bytes()) && field[text.len()..].iter().all(|&byte| byte == 0));
    assert!(field.len() > text.len(), "the text has an end");
    assert_eq!(rest, hexadecimal("44000000 0000 0800"), "the next record begins there");
}

#[test]
fn a_path_of_any_length_has_an_end_and_fills_words() {
    for (length, takes) in LENGTHS {
        let path = "p".repeat(length);
        let bytes = written(|stream| stream.map(3, &Mapping { path: &path, ..INIT }));
        is_a_record_with(&bytes, 72, &path, takes);
    }
}

#[test]
fn an_events_name_of_any_length_has_an_end_and_fills_words() {
    for (length, takes) in LENGTHS {
        let name = "e".repeat(length);
        let bytes = PerfData::begin(Buffer::of(usize::MAX), &name, 1000).unwrap().finish().unwrap().bytes;
        is_a_record_with(&bytes[16 + 96..], 24, &name, takes);
    }
}

#[test]
fn a_threads_name_is_cut_so_that_it_has_an_end() {
    for (length, kept) in [(0, 0), (7, 7), (8, 8), (15, 15), (16, 15), (4095, 15)] {
        let bytes = written(|stream| stream.name(3, 5, &"t".repeat(length)));
        is_a_record_with(&bytes, 16, &"t".repeat(kept), 16);
    }
}

#[test]
fn an_address_at_the_end_of_32_bits_and_behind_it_is_whole() {
    let sample = |address: u64| written(|stream| stream.sample(3, &sampled(Mode::Kernel, address, 5)));
    for (address, bytes) in [
        (0xFFFF_FFFF, "ffffffff00000000"),
        (0x1_0000_0000, "0000000001000000"),
        (0xFFFF_FFFF_FFFF_FFFF, "ffffffffffffffff"),
    ] {
        assert_eq!(sample(address)[8..16], hexadecimal(bytes));
    }
    let bytes = written(|stream| stream.kernel(0xFFFF_F000..0x1_0000_1000));
    assert_eq!(bytes[16..32], hexadecimal("00f0ffff00000000 0020000000000000"), "it lies across the end");
    let bytes = written(|stream| stream.kernel(0xC000_0000..0x1_0000_0000));
    assert_eq!(bytes[16..32], hexadecimal("000000c000000000 0000004000000000"), "it ends there");
}

#[test]
fn a_text_that_has_no_record_is_refused_before_anything_is_written() {
    let long = "x".repeat(4096);
    for text in [long.as_str(), "a\0b"] {
        let bytes = written(|stream| {
            assert!(stream.map(1, &Mapping { path: text, ..INIT }).is_err());
            Ok(())
        });
        assert_eq!(bytes.len(), 8);
        let mut buffer = Buffer::of(usize::MAX);
        assert!(PerfData::begin(&mut buffer, text, 1).is_err() && buffer.bytes.is_empty());
    }
}

#[test]
fn a_sink_that_is_full_is_an_error_wherever_it_ends() {
    let whole = write(Buffer::of(usize::MAX), &[1, 2]).unwrap().bytes.len();
    assert!((0..whole).all(|room| write(Buffer::of(room), &[1, 2]).is_err()));
    assert!(write(Buffer::of(whole), &[1, 2]).is_ok());
}

proptest! {
    #[test]
    fn every_record_says_how_long_it_is(
        name in any::<String>(),
        path in "[^\0]{0,300}",
        event in "[^\0]{0,40}",
        hits in prop::collection::vec((any::<u64>(), any::<u64>()), 0..20),
        period in any::<u64>(),
    ) {
        let mut stream = PerfData::begin(Buffer::of(usize::MAX), &event, period).unwrap();
        stream.name(1, 7, &name).unwrap();
        stream.map(1, &Mapping { path: &path, ..INIT }).unwrap();
        hits.iter()
            .try_for_each(|&(address, samples)| stream.hits(1, Mode::User, Hits { place: address.into(), samples }))
            .unwrap();
        let bytes = stream.finish().unwrap().bytes;
        let (mut at, mut kinds) = (16, Vec::new());
        while at < bytes.len() {
            kinds.push(bytes[at]);
            let size = u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]);
            prop_assert!(size >= 8 && size % 8 == 0);
            at += usize::from(size);
        }
        prop_assert_eq!(at, bytes.len());
        let wanted: Vec<u8> = [64, 78, 3, 10].into_iter().chain(hits.iter().map(|_| 9)).chain([68]).collect();
        prop_assert_eq!(kinds, wanted);
    }
}
