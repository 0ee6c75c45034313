//! What CPUID answers a guest over any processor.

use super::Identity;
use crate::beneath::{every, registers};

/// What CPUID answers over a processor that answers all leaves with `native`.
pub(crate) fn answer(identity: &Identity, leaf: u32, subleaf: u32, native: [u32; 4]) -> [u32; 4] {
    registers(identity.cpuid(leaf, subleaf, &every(native)))
}

#[test]
fn the_rest_of_the_processor_shows_through() {
    let native = [0x8000_00FF, 20, 33, 44];
    for identity in Identity::ALL {
        for leaf in [0x02, 0x04, 0x0B, 0x0D, 0x4000_0000, 0x8000_0002, 0x8000_0008] {
            assert_eq!(answer(&identity, leaf, 0, native), native, "{} {leaf:#x}", identity.name());
        }
        let [eax, ebx, ecx, edx] = answer(&identity, 1, 0, native);
        assert_eq!([eax, ebx & 20, ecx & 33, edx & 44], [identity.signature(), 20, 33, 44], "{}", identity.name());
    }
}
