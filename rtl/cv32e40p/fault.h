// The counter that loses events is the first, of 64 bits: its next value is what it has already.
enum { FAULTY = 3 };
static void lose_event(Vtop& top) {
    top.rootp->top__DOT__core__DOT__core_i__DOT__cs_registers_i__DOT__mhpmcounter_increment[2 * FAULTY] -= 1;
}
