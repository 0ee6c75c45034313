//! Finds the code that a function can reach, and panics in it.
//!
//! The walk follows the machine code: every instruction from the root on, both ways of every branch, into every
//! call. It is complete if there is no indirect jump, so an indirect jump is an offence like a panic.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use iced_x86::{Code, Decoder, DecoderOptions, FlowControl, Instruction};
use object::{Object, ObjectSection, SectionKind};

use crate::symbols::Symbols;

/// A linked program: its code and the names in it.
pub(super) struct Program {
    sections: Vec<Section>,
    symbols: Symbols,
}

struct Section {
    address: u64,
    bytes: Vec<u8>,
}

/// Something that must not be reachable, and the path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Offence {
    what: String,
    path: Vec<String>,
}

/// The code that a root reaches.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// The number of instructions that were followed.
    pub(super) instructions: usize,
    /// The number of them that write a model-specific register, as only a driver does.
    register_writes: usize,
    pub(super) offences: Vec<Offence>,
}

/// Where the walk continues, and the function from which it came there.
struct Front {
    pending: Vec<u64>,
    /// The place from which each place was entered.
    entered_from: HashMap<u64, u64>,
}

impl Program {
    /// Read a linked ELF file.
    ///
    /// # Errors
    /// The file cannot be read or is no ELF file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = object::File::parse(&*bytes).with_context(|| format!("{} is no ELF file", path.display()))?;
        let code = file.sections().filter(|section| section.kind() == SectionKind::Text);
        let sections = code.map(|section| Ok(Section { address: section.address(), bytes: section.data()?.to_vec() }));
        Ok(Self { sections: sections.collect::<Result<_>>()?, symbols: Symbols::of(&file) })
    }

    /// Follow everything that the functions with this name reach.
    ///
    /// # Errors
    /// There is no such function.
    pub(super) fn walk(&self, is_root: impl Fn(&str) -> bool) -> Result<Reach> {
        let roots: Vec<_> = self.symbols.named(is_root).map(|function| function.address).collect();
        ensure!(!roots.is_empty(), "the function to start from is not in the program");
        let mut reach = Reach::default();
        let mut front = Front { entered_from: roots.iter().map(|root| (*root, *root)).collect(), pending: roots };
        while let Some(address) = front.pending.pop() {
            self.step(address, &mut front, &mut reach);
        }
        Ok(reach)
    }

    /// Follows one instruction.
    fn step(&self, address: u64, front: &mut Front, reach: &mut Reach) {
        if let Some(what) = self.offence_at(address) {
            reach.offences.push(Offence { what, path: self.path(address, front) });
            return;
        }
        let instruction = self.decode(address).expect("what lies outside the code is an offence");
        reach.instructions += 1;
        reach.register_writes += usize::from(instruction.code() == Code::Wrmsr);
        successors(&instruction).for_each(|next| front.enter(next, address));
    }

    fn offence_at(&self, address: u64) -> Option<String> {
        if let Some(function) = self.symbols.at(address).filter(|f| f.address == address && panics(&f.name)) {
            return Some(format!("the panic function {}", function.name));
        }
        let Some(instruction) = self.decode(address) else {
            return Some(format!("{address:#x}, which is not code of this program"));
        };
        let offence = match instruction.flow_control() {
            FlowControl::IndirectBranch | FlowControl::IndirectCall => "an indirect jump",
            FlowControl::Exception => "an instruction that only raises an exception",
            _ if instruction.is_invalid() => "bytes that are no instruction",
            _ => return None,
        };
        Some(format!("{offence} at {address:#x}"))
    }

    fn decode(&self, address: u64) -> Option<Instruction> {
        let section = self.sections.iter().find(|section| section.contains(address))?;
        let offset = usize::try_from(address - section.address).ok()?;
        let mut decoder = Decoder::with_ip(64, &section.bytes[offset..], address, DecoderOptions::NONE);
        decoder.can_decode().then(|| decoder.decode())
    }

    /// Returns the functions through which a place was reached, the root first.
    fn path(&self, end: u64, front: &Front) -> Vec<String> {
        let mut path = vec![self.name(end)];
        let mut place = end;
        while let Some(previous) = front.entered_from.get(&place).filter(|previous| **previous != place) {
            place = *previous;
            if path.last() != Some(&self.name(place)) {
                path.push(self.name(place));
            }
        }
        path.reverse();
        path
    }

    fn name(&self, address: u64) -> String {
        self.symbols.at(address).map_or_else(|| format!("{address:#x}"), |function| function.name.clone())
    }
}

impl Section {
    fn contains(&self, address: u64) -> bool {
        address >= self.address && address - self.address < self.bytes.len() as u64
    }
}

impl Front {
    fn enter(&mut self, address: u64, from: u64) {
        if let Entry::Vacant(unseen) = self.entered_from.entry(address) {
            unseen.insert(from);
            self.pending.push(address);
        }
    }
}

impl Reach {
    /// # Errors
    /// Something forbidden is reachable; the error names it and the functions on the path.
    pub(super) fn check(&self) -> Result<()> {
        let Some(offence) = self.offences.first() else { return Ok(()) };
        bail!("meets {} by way of {}", offence.what, offence.path.join(" -> "))
    }

    /// # Errors
    /// The code writes no register of a unit, so it is not a driver's handler and proves nothing.
    pub(super) fn check_that_it_programs(&self) -> Result<()> {
        ensure!(
            self.register_writes > 0,
            "no WRMSR in {} instructions: this is no driver's handler",
            self.instructions
        );
        Ok(())
    }

    /// Returns true if a panic function is among the offences.
    pub(super) fn meets_a_panic(&self) -> bool {
        self.offences.iter().any(|offence| offence.what.starts_with("the panic function"))
    }
}

/// Returns the possible successors of an instruction. Calls are assumed to return.
fn successors(instruction: &Instruction) -> impl Iterator<Item = u64> {
    let target = (instruction.near_branch_target() != 0).then(|| instruction.near_branch_target());
    let falls_through = match instruction.flow_control() {
        FlowControl::Return | FlowControl::UnconditionalBranch => false,
        FlowControl::Interrupt => instruction.code() != Code::Int3,
        _ => true,
    };
    target.into_iter().chain(falls_through.then(|| instruction.next_ip()))
}

/// Returns true for `core`'s panic functions and the panic handler.
fn panics(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    name.starts_with("core::panicking::")
        || last == "rust_begin_unwind"
        || last.starts_with("panic_")
        || last.ends_with("_failed")
        || last.ends_with("_fail")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::Function;

    /// A program at 0x1000 with a function at each of these offsets.
    fn program(bytes: &[u8], functions: &[(u64, &str)]) -> Program {
        let function = |(offset, name): &(u64, &str)| Function { address: 0x1000 + offset, name: (*name).into() };
        let section = Section { address: 0x1000, bytes: bytes.to_vec() };
        Program { sections: vec![section], symbols: functions.iter().map(function).collect() }
    }

    fn complaint(program: &Program) -> String {
        program.walk(|name| name == "root").unwrap().check().unwrap_err().to_string()
    }

    #[test]
    fn straight_code_is_walked_to_its_return() {
        let reach = program(&[0x90, 0x90, 0xc3, 0xcc], &[(0, "root")]).walk(|name| name == "root").unwrap();
        assert_eq!((reach.instructions, reach.offences.len()), (3, 0));
    }

    #[test]
    fn a_panic_behind_two_calls_is_met_and_the_way_is_told() {
        let call_next = [0xe8, 1, 0, 0, 0, 0xc3];
        let bytes = [&call_next[..], &call_next[..], &[0xc3]].concat();
        let program = program(&bytes, &[(0, "root"), (6, "middle"), (12, "core::panicking::panic")]);
        assert!(complaint(&program).ends_with("by way of root -> middle -> core::panicking::panic"));
    }

    #[test]
    fn both_ways_of_a_branch_are_followed() {
        let jump_over_return = [0x74, 1, 0xc3, 0xff, 0xd0];
        assert!(complaint(&program(&jump_over_return, &[(0, "root")])).contains("an indirect jump at 0x1003"));
    }

    #[test]
    fn a_jump_through_memory_is_met() {
        assert!(complaint(&program(&[0xff, 0x25, 0, 0, 0, 0], &[(0, "root")])).contains("an indirect jump at 0x1000"));
    }

    #[test]
    fn an_abort_is_met() {
        assert!(complaint(&program(&[0x0f, 0x0b], &[(0, "root")])).contains("only raises an exception"));
    }

    #[test]
    fn a_call_out_of_the_program_is_met() {
        assert!(complaint(&program(&[0xe8, 0, 0, 1, 0, 0xc3], &[(0, "root")])).contains("not code of this program"));
    }

    #[test]
    fn what_the_root_does_not_reach_is_no_offence() {
        let program = program(&[0xc3, 0x0f, 0x0b], &[(0, "root"), (1, "core::panicking::panic")]);
        assert!(program.walk(|name| name == "root").unwrap().check().is_ok());
    }

    #[test]
    fn a_handler_that_programs_nothing_is_no_drivers() {
        let reach_of = |bytes: &[u8]| program(bytes, &[(0, "root")]).walk(|name| name == "root").unwrap();
        assert!(reach_of(&[0xc3]).check_that_it_programs().is_err());
        assert!(reach_of(&[0x0f, 0x30, 0xc3]).check_that_it_programs().is_ok());
    }

    #[test]
    fn a_walk_from_nowhere_is_an_error() {
        assert!(program(&[0xc3], &[(0, "root")]).walk(|name| name == "other").is_err());
    }
}
