//! No processor of this kernel's width has it.

use pmu::Mode;
use pmu::virt::{Fault, Work};

use crate::host::observer::Seen;
use crate::identity::Processor;

/// Nobody's sampling.
pub enum Precise {}

impl Precise {
    pub fn of(_: &Processor) -> Option<Self> {
        None
    }

    pub fn is_on(&self) -> bool {
        match *self {}
    }

    pub fn samples(&self, _: Mode) -> bool {
        match *self {}
    }

    pub fn next_is(&mut self, _: u64, _: Seen) {
        match *self {}
    }

    pub fn pass(&self, _: &Work, _: bool, _: u64) -> u64 {
        match *self {}
    }

    pub fn read(&self, _: u32) -> Option<Result<u64, Fault>> {
        match *self {}
    }

    pub fn read_counter(&self, _: u32) -> Option<Result<u64, Fault>> {
        match *self {}
    }

    pub fn check(&self, _: u32, _: u64) -> Option<Result<(), Fault>> {
        match *self {}
    }

    pub fn write(&mut self, _: u32, _: u64) -> Result<(), Fault> {
        match *self {}
    }
}
