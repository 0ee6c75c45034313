//! What is added to ArceOS on every machine: a unit for each CPU, and the hooks of its scheduler. `machine` adds the
//! overflow interrupt.

use ax_runtime::task::sync::RawSpinLock;
use ax_runtime::task::thread::current::current_thread_id;
use ax_runtime::task::thread::{ThreadExtension, ThreadExtensionOps, ThreadId};
use ax_runtime::{CPU_CAPACITY, hal::percpu};
use pmu::{Context, CpuId, Error, Interrupted, Kernel, Pmu, Result};

use crate::machine::{self, Driver};

pub type Unit = pmu::Unit<Driver, 512>;

static UNITS: [Unit; CPU_CAPACITY] = [const { Unit::new() }; CPU_CAPACITY];
/// What is counted of each thread, by its number in ArceOS.
pub static THREADS: [RawSpinLock<Context<Driver, 1>>; 64] = [const { RawSpinLock::new(Context::new(0)) }; 64];

#[derive(Clone, Copy)]
pub struct Mine;

impl Kernel for Mine {
    fn cpu(&self) -> CpuId {
        CpuId(percpu::this_cpu_id() as u32)
    }
}

pub fn this_unit() -> Result<&'static Unit> {
    let cpu = Mine.cpu();
    UNITS.get(cpu.0 as usize).ok_or(Error::NoSuchCpu(cpu))
}

/// Claims this CPU's unit.
pub fn come_online() -> Result<Pmu<'static, Driver>> {
    this_unit()?.claim(machine::detect()?)
}

/// Handles an overflow interrupt. Returns false if it is somebody else's.
pub fn on_overflow(at: Interrupted) -> bool {
    let at = at.in_thread(current_thread_id().map_or(0, ThreadId::slot));
    this_unit().is_ok_and(|unit| unit.on_overflow(at).is_mine())
}

/// A thread that is created with this is counted by its context in [`THREADS`].
pub fn extension() -> ThreadExtension {
    static HOOKS: ThreadExtensionOps = ThreadExtensionOps {
        on_switch_in: |_, thread, _, _| switch(thread, |pmu, context| _ = pmu.switch_in(context)),
        on_switch_out: |_, thread, _| switch(thread, |pmu, context| pmu.switch_out(context)),
        on_exit: |_, _| {},
        on_deadline_overrun: |_, _| {},
        drop: |_| {},
    };
    // SAFETY: there is no data; the hooks neither allocate, nor block, nor enter the scheduler.
    unsafe { ThreadExtension::new(0, &HOOKS) }
}

/// The scheduler has turned interrupts off.
fn switch(thread: ThreadId, exchange: fn(Pmu<'static, Driver>, &mut Context<Driver, 1>)) {
    if let (Ok(pmu), Some(context)) = (this_unit().and_then(Unit::here), THREADS.get(thread.slot() as usize)) {
        exchange(pmu, &mut context.lock_irqsave());
    }
}
