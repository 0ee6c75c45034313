//! Assembly of two images from one source: with registers of 64 bits and of 32.

/// Assembly with words for what differs: `WORD` is a register's size in bytes, and `load`, `store`,
/// `store_and_update`, `compare` and `return_from_interrupt` take whole registers.
#[macro_export]
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            harness::by_width!(
                r#"
    .ifndef WORD
    .set WORD, 8
    .macro load register, place
        ld \register, \place
    .endm
    .macro store register, place
        std \register, \place
    .endm
    .macro store_and_update register, place
        stdu \register, \place
    .endm
    .macro compare register, value
        cmpdi \register, \value
    .endm
    .macro return_from_interrupt
        rfid
    .endm
    .macro take_interrupts
        li 4, -0x7ffe               # EE, RI
        mtmsrd 4, 1
    .endm
    .macro hold_interrupts
        li 4, 2                     # RI, not EE
        mtmsrd 4, 1
    .endm
    .endif
    "#,
                r#"
    .ifndef WORD
    .set WORD, 4
    .macro load register, place
        lwz \register, \place
    .endm
    .macro store register, place
        stw \register, \place
    .endm
    .macro store_and_update register, place
        stwu \register, \place
    .endm
    .macro compare register, value
        cmpwi \register, \value
    .endm
    .macro return_from_interrupt
        rfi
    .endm
    .macro take_interrupts
        mfmsr 4
        ori 4, 4, 0x8000            # EE
        mtmsr 4
    .endm
    .macro hold_interrupts
        mfmsr 4
        rlwinm 4, 4, 0, 17, 15      # EE
        mtmsr 4
        isync
    .endm
    .endif
    "#
            ),
            $($parts)*
        );
    };
}
