//! The processor: its vendor, family and model, and further leaves of CPUID.
//!
//! Sources: SDM vol. 2, "CPUID - CPU Identification", leaves 00H and 01H; APM vol. 3, "CPUID
//! Fn0000_0000_E[D,C,B]X" and "CPUID Fn0000_0001_EAX". Both have the same layout of the signature.

use raw_cpuid::{CpuIdReader, CpuIdResult};

use crate::event::{Error, Result};

/// A processor, identified by CPUID.
pub(super) struct Processor<'c, C> {
    cpuid: &'c C,
    /// EBX, ECX and EDX of leaf 0. They are not kept as text, which would have to be checked.
    vendor: [u32; 3],
    /// The last leaf.
    last: u32,
    /// The family, including the extended bits.
    pub(super) family: u32,
    /// The model, including the extended bits.
    pub(super) model: u32,
    /// The stepping.
    pub(super) stepping: u32,
    /// ECX of leaf 1.
    pub(super) features: u32,
}

/// The contents of a leaf that does not exist.
const ABSENT: CpuIdResult = CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };

impl<'c, C: CpuIdReader> Processor<'c, C> {
    /// Identifies the processor that answers `cpuid`.
    ///
    /// # Errors
    /// Returns [`Error::NoUnit`] if the processor does not even report its family.
    pub(super) fn of(cpuid: &'c C) -> Result<Self> {
        let (first, named) = (cpuid.cpuid2(0, 0), cpuid.cpuid2(1, 0));
        if first.eax == 0 {
            return Err(Error::NoUnit { reason: "CPUID has no leaf 01H" });
        }
        let vendor = [first.ebx, first.ecx, first.edx];
        let (family, model) = (family(named.eax), model(named.eax));
        Ok(Self { cpuid, vendor, last: first.eax, family, model, stepping: named.eax & 0xF, features: named.ecx })
    }

    /// Returns true if this is the vendor's name.
    pub(super) fn is(&self, vendor: &[u8; 12]) -> bool {
        let [b0, b1, b2, b3, d0, d1, d2, d3, c0, c1, c2, c3] = *vendor;
        let words = [[b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]];
        let [b, c, d] = words.map(u32::from_le_bytes);
        let [own_b, own_c, own_d] = self.vendor;
        // Arrays would be compared by a function for memory of any length.
        (own_b ^ b | own_c ^ c | own_d ^ d) == 0
    }

    /// Returns the error for a processor without a driver. It names the vendor if no driver is for any of its processors.
    #[cold]
    pub(super) fn unknown(&self) -> Error {
        if [b"GenuineIntel", b"AuthenticAMD", b"HygonGenuine"].into_iter().any(|vendor| self.is(vendor)) {
            return Error::UnknownProcessor { family: self.family, model: self.model };
        }
        let [b, c, d] = self.vendor.map(u32::to_le_bytes);
        let ([b0, b1, b2, b3], [d0, d1, d2, d3], [c0, c1, c2, c3]) = (b, d, c);
        Error::UnknownVendor { name: [b0, b1, b2, b3, d0, d1, d2, d3, c0, c1, c2, c3] }
    }

    /// Returns true if it has architectural performance monitoring, of whatever version.
    pub(super) fn is_architectural(&self) -> bool {
        self.leaf(0xA, 0).eax & 0xFF != 0
    }

    /// Returns the error for a processor of Intel's without architectural performance monitoring: it names the driver of
    /// the Pentium (family 5), the P6 family up to the Pentium M (models below that of Core Duo) or NetBurst (family 0FH),
    /// whose units CPUID does not announce (SDM vol. 4, the tables of MSRs of each).
    #[cold]
    pub(super) fn before_architecture(&self) -> Error {
        let (family, model) = (self.family, self.model);
        let driver = match (family, model) {
            (5, 1..=4 | 7 | 8) => "P5",
            (6, ..0x0E) => "P6",
            (0x0F, _) => "Netburst",
            (..=5, _) => return self.unknown(),
            _ => return Error::NoUnit { reason: "CPUID leaf 0AH is missing, or its version is 0" },
        };
        Error::OtherDriver { family, model, driver }
    }

    /// Returns the contents of a leaf; zeros if there is no such leaf.
    #[inline(never)]
    pub(super) fn leaf(&self, leaf: u32, subleaf: u32) -> CpuIdResult {
        if leaf > self.last { ABSENT } else { self.cpuid.cpuid2(leaf, subleaf) }
    }
}

/// Returns the family. The extended family is added if all bits of the family are set.
const fn family(signature: u32) -> u32 {
    match signature >> 8 & 0xF {
        0xF => 0xF + (signature >> 20 & 0xFF),
        family => family,
    }
}

/// Returns the model. The extended model is used in families 6 and 0FH; in AMD's family 6 it is 0.
const fn model(signature: u32) -> u32 {
    let model = signature >> 4 & 0xF;
    match signature >> 8 & 0xF {
        0x6 | 0xF => signature >> 12 & 0xF0 | model,
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A processor with this signature, whose last leaf is `last`.
    fn processor(last: u32, signature: u32) -> impl CpuIdReader {
        move |leaf, _| match leaf {
            0 => CpuIdResult { eax: last, ebx: 0x756E_6547, ecx: 0x6C65_746E, edx: 0x4965_6E69 },
            1 => CpuIdResult { eax: signature, ..ABSENT },
            _ => CpuIdResult { eax: leaf, ..ABSENT },
        }
    }

    #[test]
    fn family_and_model_are_those_that_the_manuals_name() {
        let named = |signature| {
            let cpuid = processor(1, signature);
            Processor::of(&cpuid).map(|processor| (processor.family, processor.model))
        };
        assert_eq!(named(0x0005_06E3), Ok((6, 0x5E)), "Skylake");
        assert_eq!(named(0x00A2_0F10), Ok((0x19, 0x21)), "Zen 3");
        assert_eq!(named(0x0000_0F29), Ok((0xF, 2)), "Pentium 4");
        assert_eq!(named(0x0000_0543), Ok((5, 4)), "Pentium with MMX");
    }

    #[test]
    fn a_vendor_is_known_by_its_whole_name() {
        let cpuid = processor(1, 0);
        let processor = Processor::of(&cpuid).unwrap();
        assert!(processor.is(b"GenuineIntel") && !processor.is(b"AuthenticAMD") && !processor.is(b"GenuineIntem"));
    }

    #[test]
    fn a_leaf_beyond_the_last_holds_nothing() {
        let cpuid = processor(0xA, 0);
        let processor = Processor::of(&cpuid).unwrap();
        assert_eq!((processor.leaf(0xA, 0).eax, processor.leaf(0x23, 0)), (0xA, ABSENT));
    }

    #[test]
    fn a_processor_without_a_family_has_no_unit() {
        let cpuid = processor(0, 0);
        assert_eq!(Processor::of(&cpuid).err(), Some(Error::NoUnit { reason: "CPUID has no leaf 01H" }));
    }
}
