//! A guest that is passed through, and its twin that is told of the same work: whatever both do, they are in the same state.

use pmu::Mode;
use pmu::driver::{Driver, Registers};
use pmu::virt::Mediated;
use pmu::virt::{Device, Kind, PassThrough, Work};

use crate::support::choices::Choices;

/// The events of the guests, in their selectors' low bits.
const EVENTS: [u64; 10] = [0xC0, 0x3C, 0x76, 0xC4, 0x412E, 0x08, 0x11, 0x1E, 0x70, 0xF_0000_00FF];

/// A guest that is passed through and its twin, on a processor of their kind.
pub(crate) struct Guests<'u, D: Driver, G> {
    pub(crate) mediated: Mediated<'u, D, G>,
    pub(crate) twin: G,
    pub(crate) processor: &'u G,
    pub(crate) registers: Vec<<D::Registers as Registers>::Address>,
    pub(crate) heard: fn(&G) -> u64,
    /// Tells the processor whether a guest runs.
    pub(crate) runs: fn(&G, bool),
    /// Changes a value that the guest writes, if passing through may count otherwise then.
    pub(crate) tamed: fn(<D::Registers as Registers>::Address, u64) -> u64,
}

impl<'u, D, G> Guests<'u, D, G>
where
    D: Driver,
    G: Device<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
    G: PassThrough<Address = <D::Registers as Registers>::Address, Index = <D::Registers as Registers>::Index>,
{
    /// Makes the guests do what these bytes say. `forget` clears what only a twin knows: the time.
    pub(crate) fn hostile(&mut self, bytes: &[u8], forget: impl Fn(&mut <G as Device>::State)) {
        let mut choices = Choices::new(bytes);
        while !choices.is_empty() {
            match choices.below(8) {
                0..4 => self.write(&mut choices),
                4 => self.read(&mut choices),
                _ => self.run(&mut choices),
            }
            if choices.below(8) == 0 {
                let (mut passed, mut fed) = (self.mediated.guest().unwrap().state(), self.twin.state());
                [&mut passed, &mut fed].into_iter().for_each(&forget);
                assert_eq!(passed, fed);
                assert_eq!((self.heard)(self.mediated.guest().unwrap()), (self.heard)(&self.twin));
            }
        }
        self.mediated.release().unwrap();
    }

    fn write(&mut self, choices: &mut Choices) {
        let at = self.registers[usize::from(choices.byte()) % self.registers.len()];
        let value = match choices.below(8) {
            0 => choices.word(),
            1 => 1 << choices.below(64),
            2 => u64::from(choices.byte()).wrapping_neg(),
            3 => u64::from(choices.byte()).wrapping_neg() & 0xFFFF_FFFF_FFFF,
            4 => 0x3333 & choices.word(),
            5 => 0xFFFF_FFFF_FFFF,
            _ => 0x0053_0000 | EVENTS[usize::from(choices.below(10))] | choices.word() & 0x100_8000_0000,
        };
        let value = (self.tamed)(at, value);
        assert_eq!(self.mediated.guest().unwrap().try_write(at, value), self.twin.try_write(at, value));
    }

    fn read(&mut self, choices: &mut Choices) {
        let at = self.registers[usize::from(choices.byte()) % self.registers.len()];
        assert_eq!(self.mediated.guest().unwrap().try_read(at), self.twin.try_read(at));
    }

    /// The guest runs, and then its host, of whose work nothing is to be seen.
    fn run(&mut self, choices: &mut Choices) {
        let work = |choices: &mut Choices, mode| {
            let amount = if choices.below(4) == 0 { choices.word() & 0x7FFF_FFFF } else { choices.byte().into() };
            let misses = u64::from(choices.byte());
            Work::instructions(mode, amount).with(Kind::Branches, misses / 2).with(Kind::CacheMisses, misses)
        };
        let mode = [Mode::User, Mode::Kernel][usize::from(choices.below(2))];
        let hosts_mode = [Mode::User, Mode::Kernel, Mode::Hypervisor][usize::from(choices.below(3))];
        let (guests, hosts) = (work(choices, mode), work(choices, hosts_mode));
        let before = (self.heard)(self.processor);
        self.mediated.enter().unwrap();
        (self.runs)(self.processor, true);
        self.processor.advance(&guests);
        (self.runs)(self.processor, false);
        self.mediated.exit().unwrap();
        self.processor.advance(&hosts);
        self.twin.advance(&guests);
        if (self.heard)(self.processor) != before {
            self.mediated.interrupted().unwrap();
        }
    }
}
