//! CPUID says what the command line said: a processor of some vendor's, with a unit of some version.

use crate::identity::{self, Processor};
use crate::machine_code::__cpuid;

pub fn test() {
    let processor = &identity::presented().processor;
    assert_eq!(__cpuid(1).eax, processor.signature());
    let (vendor, version) = match processor {
        Processor::Intel(identity) => (b"Genu", [identity.capabilities().version, 0]),
        Processor::Amd(identity) => (b"Auth", [0, u8::from(identity.capabilities().has_global())]),
        Processor::Netburst(_) | Processor::P6(_) | Processor::P5(_) => (b"Genu", [0; 2]),
    };
    assert_eq!(__cpuid(0).ebx.to_le_bytes(), *vendor);
    assert_eq!([(0xa, 0xff), (0x8000_0022, 1)].map(|(leaf, of_unit)| __cpuid(leaf).eax as u8 & of_unit), version);
}
