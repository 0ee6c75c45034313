//! The guest's counters in the real unit.

use super::{Device, FixedControl, Select};
use crate::arch::x86::device::{Counting, write};
use crate::arch::x86::intel::AuxiliaryRegister;
use crate::arch::x86::{Index, Msr, Msrs, Window};
use crate::contract::Description;
use crate::event::{CounterSet, Request};
use crate::virt::{Decode, PassThrough, Trigger};

impl<T: Trigger> PassThrough for Device<T> {
    type Address = Msr;
    type Index = Index;

    fn fits(&self, real: &Description, encodes: impl Fn(&Request) -> bool) -> Result<(), &'static str> {
        self.limits.fits(real, encodes)
    }

    #[inline]
    fn in_use(&self) -> CounterSet {
        self.running()
    }

    fn load<R: Msrs>(&self, onto: &R) {
        let running = self.running();
        let mut fixed_control = 0;
        for id in running {
            let (value, number) = (self.numbered(id.index()).value(self.limits.mask(id)), id.number());
            match self.select(id) {
                Some(select) => {
                    write(onto, Msr::select(number), select.difference(Select::ANY_THREAD).bits());
                    write(onto, Msr::counter(Window::Full, number), value);
                }
                None => {
                    let control = self.fixed_control(id).difference(FixedControl::ANY_THREAD);
                    fixed_control = control.within(id, fixed_control);
                    write(onto, Msr::fixed(number & 31), value);
                }
            }
        }
        for (beside, (needing, value)) in AuxiliaryRegister::ALL.into_iter().zip(self.needing.iter().zip(&self.beside))
        {
            if !running.and(needing.get()).is_empty() {
                onto.write(beside.register(), value.get());
            }
        }
        if fixed_control != 0 {
            onto.write(Msr::FIXED_CONTROL, fixed_control);
        }
    }

    fn collect<R: Msrs>(&self, from: &R) {
        let running = self.running();
        for id in running {
            self.numbered(id.index()).set_value(from.read_counter(Index::of(id)), self.limits.mask(id));
        }
        self.take_overflows(running.and(CounterSet::from_bits(from.read(Msr::GLOBAL_STATUS))));
    }
}
