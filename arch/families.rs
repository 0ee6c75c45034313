//! The list of families. What is true of each of them is tested by this list, in the library and in `tests`; the fuzz targets
//! and `events show` read it too.

/// Calls a macro with a line for each family: its module; one of its identities, and a unit in software of that; registers
/// that are such a unit, and the driver over them; the fields of a register. Who calls it has imported `arch` and what is used
/// of `virt`.
macro_rules! each {
    ($call:ident) => {
        $call! {
            x86::intel: it => intel::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => intel::Intel::<_, _>::new(on, arch::x86::Unattached, it.capabilities()),
                intel::Capabilities::fields;
            x86::netburst: it => netburst::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => netburst::Netburst::new(on, arch::x86::Unattached, it.capabilities()),
                netburst::Capabilities::fields;
            x86::p6: it => p6::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => p6::P6::new(on, arch::x86::Unattached, it.capabilities()),
                p6::Capabilities::fields;
            x86::p5: it => p5::Device::new(&it, Kinds::CLOCK),
                on => p5::P5::new(on, it.capabilities()),
                p5::Capabilities::fields;
            x86::amd: it => amd::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => amd::Amd::<_, _>::new(on, arch::x86::Unattached, it.capabilities()),
                amd::Capabilities::fields;
            aarch64::pmuv3: it => pmuv3::Device::new(&it, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel),
                on => pmuv3::Pmuv3::detect(on).expect("the device keeps what is written"),
                pmuv3::Capabilities::fields;
            powerpc::book3s: it => book3s::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => book3s::Book3s::new(on, it.capabilities()),
                move |at| it.capabilities().fields(at);
            powerpc::classic: it => classic::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => classic::Classic::new(on, it.capabilities()),
                classic::Capabilities::fields;
            powerpc::embedded: it => embedded::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => embedded::Embedded::new(on, it.capabilities()),
                embedded::Capabilities::fields;
            mips::mipsxx: it => mipsxx::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => mipsxx::Mipsxx::new(on, it.capabilities()),
                mipsxx::Capabilities::fields;
            loongarch::la64: it => la64::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => la64::La64::new(on, it.capabilities()),
                la64::Capabilities::fields;
            sparc::niagara: it => niagara::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => niagara::Niagara::new(on, it.capabilities()),
                move |at| it.capabilities().fields(at);
            sparc::ultrasparc: it => ultrasparc::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => ultrasparc::UltraSparc::new(on, it.capabilities()),
                ultrasparc::Capabilities::fields;
            riscv::hpm: it => hpm::Device::new(&it, Kinds::CLOCK, Unconnected),
                on => hpm::Hpm::new(on, it.capabilities()),
                hpm::Capabilities::fields;
        }
    };
}

pub(crate) use each;
