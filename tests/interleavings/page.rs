//! A program that reads its page, and a kernel that takes the counters from under it.

use loom::thread;

use super::in_every_order_on_a_cpu;
use super::toy::claimed;
use crate::event::{Event, Request};
use crate::measure::{Context, UserPage};
use crate::sync::atomic::Cpu;

#[test]
fn what_a_program_reads_was_its_count_before_or_behind_a_switch() {
    in_every_order_on_a_cpu(|| {
        let (unit, toy) = claimed::<0>();
        let pmu = unit.here().unwrap();
        let page: &UserPage<1> = Box::leak(Box::new(UserPage::new()));
        let mut context = Context::<_, 1>::new(1);
        context.bind(&pmu, [Request::new(Event::CYCLES)]).unwrap();
        pmu.switch_in(&mut context);
        (0..5).for_each(|_| assert!(!toy.event()));
        pmu.publish(&context, page).unwrap();
        let cpu = Cpu::idle();
        let here = cpu.clone();
        let kernel = thread::spawn(move || {
            here.interrupt(|| {
                let pmu = unit.here().unwrap();
                pmu.switch_out(&mut context);
                // Another thread takes the first counter, and counts there.
                let mut other = Context::<_, 1>::new(2);
                other.bind(&pmu, [Request::new(Event::CYCLES)]).unwrap();
                pmu.switch_in(&mut other);
                (0..3).for_each(|_| assert!(!toy.event()));
                pmu.switch_out(&mut other);
                pmu.switch_in(&mut context);
                assert!(!toy.event());
                pmu.publish(&context, page).unwrap();
            });
        });
        let count = cpu.run(|| page.read(0, |index| toy.raw(index)));
        kernel.join().unwrap();
        assert!([Some(5), Some(6)].contains(&count), "the program read {count:?}");
        assert_eq!(page.read(0, |index| toy.raw(index)), Some(6));
    });
}
