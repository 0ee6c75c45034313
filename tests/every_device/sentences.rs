//! Which sentences are about which units: each is a test for each family.

/// What a family lends whose units are `Device`s with a line: its path, the fields that a reset
/// leaves alone, and whether it says that its line is asserted.
macro_rules! lends {
    ($($path:ident)::+, $($kept:ident)+; is_asserted) => {
        lends! { $($path)::+, $($kept)+ }

        fn is_asserted(unit: &Self::Device) -> bool {
            unit.is_asserted()
        }
    };
    ($($path:ident)::+, $($kept:ident)+) => {
        type Identity = $($path)::+::Identity;
        type Device = $($path)::+::Device<crate::support::line::Line>;

        const IDENTITIES: &'static [Self::Identity] = &$($path)::+::Identity::ALL;

        fn name(identity: &Self::Identity) -> &'static str {
            identity.name()
        }

        fn unit(identity: &Self::Identity) -> Self::Device {
            $($path)::+::Device::new(identity, pmu::virt::Kinds::CLOCK, crate::support::line::Line::default())
        }

        fn alone(
            identity: &Self::Identity,
        ) -> impl pmu::virt::Device<
            Address = crate::every_device::AddressOf<Self>,
            State = crate::every_device::StateOf<Self>,
        > {
            $($path)::+::Device::new(identity, pmu::virt::Kinds::CLOCK, pmu::virt::Unconnected)
        }

        fn line(unit: &Self::Device) -> &crate::support::line::Line {
            unit.trigger()
        }

        fn reset(unit: &Self::Device) {
            unit.reset();
        }

        fn after_reset(
            mut new: crate::every_device::StateOf<Self>,
            before: &crate::every_device::StateOf<Self>,
        ) -> crate::every_device::StateOf<Self> {
            $(new.$kept = before.$kept;)+
            new
        }
    };
}

/// The sentences about a family's units, and those of its groups: `judged`, if it says which contents are refused; and where
/// overflows interrupt, `interrupts`; `latches`, if an overflow is remembered while its counter counts on; `pulses`, if each
/// overflow interrupts for itself; `levels`, if one interrupts for as long as its cause lasts; and `falls`, if both is so.
macro_rules! every_device {
    ($family:ident $(, $group:ident)*) => {
        mod every {
            use super::$family;

            every_device! { @$family
                snapshots: a_snapshot_comes_back_bit_for_bit
                    one_bit_more_than_a_unit_holds_is_refused_and_changes_nothing;
                time: the_clock_ticks_with_the_cycles_and_goes_on_over_a_reset
                    a_reset_clears_all_but_the_clock_and_the_processors_own_state
                    beneath_its_rules_it_is_the_device;
            }
            $(every_device! { @$group $family })*
        }
    };
    (@judged $family:ident) => {
        every_device! { @$family snapshots: contents_are_taken_or_refused_for_their_reason; }
    };
    (@interrupts $family:ident) => {
        every_device! { @$family
            overflows: the_nth_event_interrupts_and_the_one_before_does_not
                a_counter_goes_on_from_where_it_overflows several_wraps_at_once_leave_the_right_count_and_one_interrupt
                counters_that_overflow_at_once_interrupt_once until_overflow_agrees_with_single_steps
                a_restored_unit_overflows_where_the_first_would_have a_device_without_a_line_counts_all_the_same;
        }
    };
    (@latches $family:ident) => {
        every_device! { @$family overflows: the_most_work_there_is_does_no_harm; }
    };
    (@pulses $family:ident) => {
        every_device! { @$family overflows: every_overflow_interrupts_whether_or_not_the_last_was_seen_to; }
    };
    (@levels $family:ident) => {
        every_device! { @$family
            overflows: while_the_line_is_high_no_further_rise_is_foretold
                a_reset_lowers_the_line_whose_cause_it_clears;
        }
    };
    (@falls $family:ident) => {
        every_device! { @$family overflows: a_reset_lowers_the_line_whose_cause_it_clears; }
    };
    (@$family:ident $($group:ident: $($sentence:ident)*;)*) => { $($(
        #[test]
        fn $sentence() {
            crate::every_device::$group::$sentence::<$family>();
        }
    )*)* };
}
