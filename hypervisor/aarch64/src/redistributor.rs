//! The first frame of the redistributor, which is not the guest's: it tables interrupts in memory, anywhere (LPIs). The guest
//! finds that it does not do so, and wakes it (IHI 0069, "The GIC Redistributor register map").

use metal::get;
use metal::world::World;

/// Where it is on this machine. The second frame follows.
pub const FRAME: u64 = 0x080a_0000;
const SIZE: u64 = 0x1_0000;

/// Registers: GICR_CTLR, GICR_IIDR, GICR_TYPER, its upper half, GICR_WAKER, GICR_PIDR2.
const KNOWN: [u64; 6] = [0, 4, TYPE, 0xc, WAKER, 0xffe8];
const TYPE: u64 = 8;
const WAKER: u64 = 0x14;
/// GICR_TYPER.PLPIS: it tables interrupts.
const TABLES: u64 = 1 << 0;

/// Carries out the guest's load or store by which it was left. Returns false if it is of something else.
pub fn carry_out(world: &mut World) -> bool {
    /// ESR_EL2 of a data abort: the rest is there (ISV), the bytes as a power of two (SAS), the general register (SRT), and
    /// whether it is a store (WnR); HPFAR_EL2.FIPA is in pages.
    const IS_VALID: u64 = 1 << 24;
    const IS_STORE: u64 = 1 << 6;
    const PAGES: u64 = 0xff_ffff_fff0;
    let syndrome = get!("esr_el2");
    let address = (get!("hpfar_el2") & PAGES) << 8 | get!("far_el2") & 0xfff;
    let Some(offset) = address.checked_sub(FRAME).filter(|&offset| offset < SIZE) else { return false };
    if syndrome & IS_VALID == 0 {
        return false;
    }
    let (bytes, general) = (1_u32 << (syndrome >> 22 & 0b11), (syndrome >> 16 & 31) as usize);
    let mut zero = 0;
    let general = world.registers.get_mut(general).unwrap_or(&mut zero);
    if syndrome & IS_STORE == 0 {
        let upper = if bytes == 8 { read(offset + 4) } else { 0 };
        *general = read(offset) | upper << 32;
    } else if offset == WAKER {
        // SAFETY: this register is the redistributor's, and reaches no memory.
        unsafe { register(offset).write_volatile(*general as u32) };
    }
    true
}

fn read(offset: u64) -> u64 {
    if !KNOWN.contains(&offset) {
        return 0;
    }
    // SAFETY: as above, and reading it changes nothing.
    let value = unsafe { register(offset).read_volatile() };
    u64::from(value) & !(if offset == TYPE { TABLES } else { 0 })
}

fn register(offset: u64) -> *mut u32 {
    (FRAME + offset) as *mut u32
}
