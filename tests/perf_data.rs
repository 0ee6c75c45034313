//! The stream has the format that perf's documents describe.
//!
//! The expected bytes are written out field by field from `perf.data-file-format.txt` and
//! `perf_event.h`, not recorded from this crate; perf 6.1 opened a stream of this layout.

use core::fmt;

use pmu::chain::{Chain, Chains};
use pmu::perf_data::{HexLines, Image, PerfData, Sink};
use pmu::profile::{Hits, Profile};
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

const KERNEL: Image = Image { path: "/k.elf", start: 0x40_1000, size: 0x169, offset: 0x1000 };

/// A sample as a reader gives it.
fn sampled(address: u64, thread: u32) -> Sample {
    let timer = Timer::<1>::new();
    timer.tick(Interrupted::new(address, Mode::Kernel).in_thread(thread));
    timer.samples().unwrap().next().unwrap()
}

fn write(stream: Buffer, addresses: &[u64]) -> Result<Buffer, fmt::Error> {
    let mut stream = PerfData::begin(stream, 1000)?;
    stream.name(0, "kernel")?;
    stream.image(&KERNEL)?;
    addresses.iter().try_for_each(|&address| stream.sample(&sampled(address, 5)))?;
    stream.finish()
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn a_stream_is_byte_for_byte_what_perfs_documents_say() {
    let header = "50455246494c4532 1000000000000000";
    let attributes = "40000000 0000 5000
        00000000 40000000 0000000000000000 e803000000000000 0301000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0100000000000000";
    let name = "03000000 0000 2000 ffffff7f ffffff7f 6b65726e656c0000 0000000000000000";
    let image = "01000000 0200 3000 ffffff7f ffffff7f
        0010400000000000 6901000000000000 0010000000000000 2f6b2e656c660000";
    let sample = "09000000 0200 2000 1011400000000000 ffffff7f 05000000 e803000000000000";
    let end = "44000000 0000 0800";
    let wanted = hexadecimal(&[header, attributes, name, image, sample, end].concat());
    assert_eq!(write(Buffer::of(usize::MAX), &[0x40_1110]).unwrap().bytes, wanted);
}

#[test]
fn lines_in_hexadecimal_are_the_same_bytes() {
    let mut console = String::new();
    let mut stream = PerfData::begin(HexLines::new(&mut console), 1000).unwrap();
    stream.name(0, "kernel").unwrap();
    stream.image(&KERNEL).unwrap();
    stream.sample(&sampled(0x40_1110, 5)).unwrap();
    stream.finish().unwrap().finish().unwrap();
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
    let mut stream = PerfData::begin(Buffer::of(usize::MAX), 1000).unwrap();
    profile.hits().iter().try_for_each(|&hits| stream.hits(hits)).unwrap();
    let bytes = stream.finish().unwrap().bytes;
    let sample = hexadecimal("09000000 0200 2000 1011400000000000 ffffff7f ffffff7f b80b000000000000");
    assert_eq!(bytes[96..128], sample);
}

/// As [`sampled`], with these callers.
fn chained(address: u64, callers: &[u64]) -> (Sample, Option<Chain<8>>) {
    let (timer, chains) = (Timer::<1>::new(), Chains::<8, 1>::new());
    timer.tick_chained(Interrupted::new(address, Mode::Kernel).in_thread(5), &chains, |chain| {
        let _ = callers.iter().all(|&caller| chain.push(caller));
        Ok(())
    });
    chains.pair(timer.samples().unwrap()).unwrap().next().unwrap()
}

#[test]
fn a_sample_with_its_chain_is_byte_for_byte_what_perfs_documents_say() {
    let attributes = "40000000 0000 5000
        00000000 40000000 0000000000000000 e803000000000000 2301000000000000
        0000000000000000 0000000000000000 00000000 00000000 0000000000000000 0100000000000000";
    let sample = "09000000 0200 4800 1011400000000000 ffffff7f 05000000 e803000000000000
        0400000000000000 00feffffffffffff 1011400000000000 1112400000000000 2212400000000000";
    let alone = "09000000 0200 3800 1011400000000000 ffffff7f 05000000 e803000000000000
        0200000000000000 00feffffffffffff 1011400000000000";
    let mut stream = PerfData::begin_chained(Buffer::of(usize::MAX), 1000).unwrap();
    let (sample_of, chain) = chained(0x40_1110, &[0x40_1211, 0x40_1222]);
    stream.chained(&sample_of, chain.as_ref()).unwrap();
    stream.chained::<8>(&sample_of, None).unwrap();
    stream.sample(&sample_of).unwrap();
    let bytes = stream.finish().unwrap().bytes;
    assert_eq!(bytes[16..], hexadecimal(&[attributes, sample, alone, alone, "44000000 0000 0800"].concat()));
}

#[test]
fn a_chain_in_a_stream_without_is_refused_before_anything_is_written() {
    let mut stream = PerfData::begin(Buffer::of(usize::MAX), 1000).unwrap();
    let (sample, chain) = chained(1, &[2]);
    assert!(stream.chained(&sample, chain.as_ref()).is_err());
    assert_eq!(stream.finish().unwrap().bytes.len(), 96 + 8);
}

#[test]
fn a_thread_without_a_number_is_not_taken_for_linux_idle_task() {
    let mut stream = PerfData::begin(Buffer::of(usize::MAX), 1000).unwrap();
    stream.sample(&sampled(0x40_1110, 0)).unwrap();
    let bytes = stream.finish().unwrap().bytes;
    assert_eq!(bytes[112..120], hexadecimal("ffffff7f ffffff7f"));
}

#[test]
fn a_path_that_has_no_record_is_refused_before_anything_is_written() {
    let long = "x".repeat(4096);
    for path in [long.as_str(), "a\0b"] {
        let mut stream = PerfData::begin(Buffer::of(usize::MAX), 1).unwrap();
        assert!(stream.image(&Image { path, ..KERNEL }).is_err());
        assert_eq!(stream.finish().unwrap().bytes.len(), 96 + 8);
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
        hits in prop::collection::vec((any::<u64>(), any::<u64>()), 0..20),
        period in any::<u64>(),
    ) {
        let mut stream = PerfData::begin(Buffer::of(usize::MAX), period).unwrap();
        stream.name(7, &name).unwrap();
        stream.image(&Image { path: &path, ..KERNEL }).unwrap();
        hits.iter().try_for_each(|&(address, samples)| stream.hits(Hits { address, samples })).unwrap();
        let bytes = stream.finish().unwrap().bytes;
        let (mut at, mut kinds) = (16, Vec::new());
        while at < bytes.len() {
            kinds.push(bytes[at]);
            let size = u16::from_le_bytes([bytes[at + 6], bytes[at + 7]]);
            prop_assert!(size >= 8 && size % 8 == 0);
            at += usize::from(size);
        }
        prop_assert_eq!(at, bytes.len());
        let wanted: Vec<u8> = [64, 3, 1].into_iter().chain(hits.iter().map(|_| 9)).chain([68]).collect();
        prop_assert_eq!(kinds, wanted);
    }
}
