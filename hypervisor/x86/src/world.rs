//! The world switch: into the guest, and back at its next exit; and the clock that tells how many instructions the guest
//! has retired meanwhile.
//!
//! QEMU has no unit that could count the guest's instructions. With `-icount shift=0` its time-stamp counter advances by
//! one for each instruction, and so does the local APIC's timer. Everything between the two readings of the clock that is
//! not the guest's is a fixed number of instructions, which is measured once. All CPUs have the same clock, so they take
//! [`turns`](crate::turns). On hardware two counters of the host's unit take the place of this file, one for each mode.

use core::arch::{asm, naked_asm};
use core::mem::offset_of;

use metal::vmcb::{ALL_OF_SVM, Intercepts, Segment, Vmcb};

/// What is on either side of a world switch, beside the control block.
///
/// The registers are popped on the way in and pushed on the way out: the stack pointer stands behind them while the guest
/// runs.
#[derive(Default)]
#[repr(C)]
pub struct World {
    /// The guest's.
    pub registers: Registers,
    host_stack: u64,
    /// The initial count of the timer; 0 leaves it off.
    timer: u64,
    entered: u64,
    left: u64,
}

/// The general registers that VMRUN leaves alone, in the order of their encoding.
#[derive(Default)]
#[repr(C)]
pub struct Registers {
    /// AuxiliaryRegister the operands of most instructions that leave the guest, what SYSCALL saves RIP in.
    pub cx: u64,
    /// The upper half of MSRs.
    pub dx: u64,
    /// What CPUID returns.
    pub bx: u64,
    /// Not used here.
    pub bp: u64,
    /// What a kernel is given at its entry.
    pub si: u64,
    /// The argument of a call.
    pub di: u64,
    /// Of these SYSCALL uses R11, which is at 3.
    pub r8_to_r15: [u64; 8],
}

/// The local APIC's timer in its memory (SDM volume 3, "Local APIC Register Address Map"): its entry, its initial count.
/// The guest has the rest of the local APIC. What it writes to these registers does not matter.
const TIMER: u32 = 0xfee0_0320;
const INITIAL_COUNT: u32 = 0xfee0_0380;
/// It counts every tick.
const DIVIDER: *mut u32 = 0xfee0_03e0 as *mut u32;
const DIVIDE_BY_ONE: u32 = 0b1011;
/// The entry's delivery mode: an NMI, which leaves the guest whatever its RFLAGS.IF.
const NMI: u32 = 4 << 8;

/// Runs the guest until it is left.
///
/// # Safety
/// - `vmcb` describes a guest that may do whatever it does to memory.
/// - The host's save area is set, interrupts are globally off (`clgi`), and the host's handler of NMIs returns.
#[unsafe(naked)]
unsafe extern "C" fn switch(vmcb: &mut Vmcb, world: &mut World) {
    naked_asm!(
        "push rbx; push rbp; push r12; push r13; push r14; push r15",
        "mov [rsi + {host_stack}], rsp",
        // Start the timer, read the clock.
        "mov ecx, {TIMER}",
        "mov dword ptr [rcx], {NMI}",
        "mov ecx, {INITIAL_COUNT}",
        "mov rax, [rsi + {timer}]",
        "mov [rcx], eax",
        "rdtsc; shl rdx, 32; or rax, rdx",
        "mov [rsi + {entered}], rax",
        "mov rax, rdi",
        "mov rsp, rsi",
        "pop rcx; pop rdx; pop rbx; pop rbp; pop rsi; pop rdi",
        "pop r8; pop r9; pop r10; pop r11; pop r12; pop r13; pop r14; pop r15",
        "vmrun rax",
        "push r15; push r14; push r13; push r12; push r11; push r10; push r9; push r8",
        "push rdi; push rsi; push rbp; push rbx; push rdx; push rcx",
        // Read the clock, stop the timer.
        "rdtsc; shl rdx, 32; or rax, rdx",
        "mov [rsp + {left}], rax",
        "mov ecx, {INITIAL_COUNT}",
        "mov dword ptr [rcx], 0",
        "mov rsp, [rsp + {host_stack}]",
        "pop r15; pop r14; pop r13; pop r12; pop rbp; pop rbx",
        // Let the host take the timer's NMI, if there is one: otherwise it would leave the guest at its next entry.
        "stgi; nop; nop; clgi",
        "ret",
        TIMER = const TIMER,
        NMI = const NMI,
        INITIAL_COUNT = const INITIAL_COUNT,
        host_stack = const offset_of!(World, host_stack),
        timer = const offset_of!(World, timer),
        entered = const offset_of!(World, entered),
        left = const offset_of!(World, left),
    )
}

/// Waits for an NMI. Other interrupts stay pending.
pub fn sleep() {
    elapsed(halt, 0);
}

/// Did no other CPU execute anything while this one has let them?
pub fn is_alone() -> bool {
    const OWN: u32 = 3; // from the first reading: MOV, PAUSE, the second reading
    let elapsed: u32;
    // SAFETY: this reads the clock, and lets QEMU run the other CPUs at PAUSE.
    unsafe {
        asm!(
            "rdtsc", "mov {before:e}, eax", "pause", "rdtsc", "sub eax, {before:e}",
            before = out(reg) _, out("eax") elapsed, out("edx") _, options(nomem, nostack)
        );
    }
    elapsed == OWN
}

/// The instructions of the host that the clock sees.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Between the two readings of the time-stamp counter.
    passage: u64,
    /// Between the start of the timer and the guest's first instruction.
    timer: u64,
}

impl Clock {
    /// Measures them, with guests that do next to nothing.
    ///
    /// The timer's are rounded up: with too few it would fire before the guest's first instruction, for ever.
    pub fn calibrate() -> Self {
        const LONG: u64 = 10_000;
        // SAFETY: ring 0; nobody else uses the timer.
        unsafe { DIVIDER.write_volatile(DIVIDE_BY_ONE) };
        let passage = elapsed(leave_at_once, 0);
        Self { passage, timer: LONG - (elapsed(turn, LONG) - passage) }
    }

    /// Lets the guest retire so many instructions at most. Returns how many it has retired. An instruction that has left the
    /// guest has not retired.
    pub fn enter(&self, vmcb: &mut Vmcb, world: &mut World, limit: u64) -> u64 {
        world.timer = (limit + self.timer).min(u32::MAX.into());
        // SAFETY: nested paging keeps the guest out of the host's memory; `main` has prepared the host.
        unsafe { switch(vmcb, world) };
        (world.left - world.entered).saturating_sub(self.passage)
    }
}

/// Runs a guest that shares the host's memory, and uses none of it.
fn elapsed(entry: extern "C" fn() -> !, timer: u64) -> u64 {
    let (mut vmcb, mut world) = (Vmcb::zeroed(), World { timer, ..World::default() });
    vmcb.control.intercepts = Intercepts::NMI;
    vmcb.control.virtualisation = ALL_OF_SVM;
    vmcb.control.address_space = 1;
    let save = &mut vmcb.save;
    (save.cs, save.ss, save.ds, save.es) =
        (Segment::code(8, 0), Segment::data(16, 0), Segment::data(16, 0), Segment::data(16, 0));
    (save.rip, save.rflags) = (entry as usize as u64, 1 << 1);
    // SAFETY: this is ring 0, and reading these registers changes nothing.
    unsafe {
        save.cr0 = x86::controlregs::cr0().bits() as u64;
        save.cr3 = x86::controlregs::cr3();
        save.cr4 = x86::controlregs::cr4().bits() as u64;
        save.efer = x86::msr::rdmsr(x86::msr::IA32_EFER);
    }
    // SAFETY: these guests use no memory; `main` has prepared the host.
    unsafe { switch(&mut vmcb, &mut world) };
    world.left - world.entered
}

#[unsafe(naked)]
extern "C" fn leave_at_once() -> ! {
    naked_asm!("vmmcall")
}

#[unsafe(naked)]
extern "C" fn halt() -> ! {
    naked_asm!("2:", "hlt", "jmp 2b")
}

#[unsafe(naked)]
extern "C" fn turn() -> ! {
    naked_asm!("2:", "jmp 2b")
}

const _: () = assert!(offset_of!(World, registers) == 0, "the registers are popped from the beginning");
