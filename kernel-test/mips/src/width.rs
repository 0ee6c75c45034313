//! Assembly of two images from one source: with registers of 64 bits and of 32.

/// Assembly with words for what differs: `WORD` is a register's size in bytes, and `load`, `store`, `from_cp0` and `to_cp0`
/// take whole registers. `place` loads an address, of which the upper half of a register is 0. Delay slots are written out.
#[macro_export]
macro_rules! assembly {
    ($($parts:tt)*) => {
        core::arch::global_asm!(
            "
    .set noreorder
    .set noat
            ",
            harness::by_width!(".set mips64", ".set mips32"),
            harness::by_width!(
                r#"
    .ifndef WORD
    .set WORD, 8
    .macro load register, from
        ld \register, \from
    .endm
    .macro store register, to
        sd \register, \to
    .endm
    .macro from_cp0 register, number
        dmfc0 \register, \number
    .endm
    .macro to_cp0 register, number
        dmtc0 \register, \number
    .endm
                "#,
                r#"
    .ifndef WORD
    .set WORD, 4
    .macro load register, from
        lw \register, \from
    .endm
    .macro store register, to
        sw \register, \to
    .endm
    .macro from_cp0 register, number
        mfc0 \register, \number
    .endm
    .macro to_cp0 register, number
        mtc0 \register, \number
    .endm
                "#
            ),
            r#"
    .macro place register, symbol
        lui \register, %hi(\symbol)
        addiu \register, \register, %lo(\symbol)
    .endm
    # What a function keeps for its caller: $16 to $23, $28, $30 and $31, in a frame of 12 words.
    .macro keep_callers
        addiu $29, $29, -12 * WORD
        .irp number, 16, 17, 18, 19, 20, 21, 22, 23
        store $\number, WORD * (\number - 16)($29)
        .endr
        store $28, WORD * 8($29)
        store $30, WORD * 9($29)
        store $31, WORD * 10($29)
    .endm
    .macro give_callers_back
        .irp number, 16, 17, 18, 19, 20, 21, 22, 23
        load $\number, WORD * (\number - 16)($29)
        .endr
        load $28, WORD * 8($29)
        load $30, WORD * 9($29)
        load $31, WORD * 10($29)
        addiu $29, $29, 12 * WORD
    .endm
    .endif
            "#,
            $($parts)*
        );
    };
}
