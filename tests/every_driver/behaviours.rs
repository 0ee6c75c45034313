//! Which behaviours are tested on which kinds of units: each is a test for each driver.

macro_rules! behaviours {
    ($subject:ty: $($group:ident: $($behaviour:ident)*;)*) => {
        $($(#[test] fn $behaviour() {
            crate::choose::<$subject>();
            crate::both_ways(crate::$group::$behaviour::<crate::Of<$subject>>);
        })*)*
    };
}

/// What takes three counters of instructions, and is left out where a unit has two.
macro_rules! behaviours_of_three_counters {
    ($subject:ty, two) => {};
    ($subject:ty) => {
        behaviours! { $subject:
            threads: a_notification_at_any_access_of_a_start_keeps_all_counts;
            notifying: a_notification_at_any_access_of_a_start_keeps_what_others_have_of_their_periods;
        }
    };
}

/// What takes two counters of instructions.
macro_rules! behaviours_of_two_counters {
    ($subject:ty) => {
        behaviours! { $subject:
            multiplexing: requests_beyond_the_counters_take_turns;
            threads: a_thread_counts_beside_a_session a_thread_that_leaves_room_takes_no_sessions_counter_with_it;
        }
    };
}

/// What every unit does, whatever it counts.
macro_rules! behaviours_that_count {
    ($subject:ty) => {
        behaviours! { $subject:
            contract: a_unit_that_is_taken_over_anew_is_halted_and_can_be_started_again
                a_halt_at_any_access_of_a_lend_halts_every_counter
                a_halt_at_any_access_of_a_run_halts_every_counter a_preset_is_as_long_as_the_counter_can_wait;
            counting: a_count_is_exact what_the_host_withholds_counts_nothing_and_the_host_is_told
                a_counter_that_rests_selects_nothing_and_wants_nothing
                a_count_starts_from_zero_after_each_reset a_count_stays_after_a_stop
                resuming_goes_on_from_the_stop a_narrow_count_is_exact time_is_counted_only_while_the_session_runs
                every_counter_can_be_used_at_once;
            sampling: a_count_that_only_counts_leaves_no_sample;
            ownership: a_unit_is_claimed_once a_claim_that_fails_leaves_no_driver a_released_unit_can_be_claimed_again
                a_claimed_unit_is_found_without_being_carried an_interrupt_amid_a_claim_changes_nothing
                an_interrupt_amid_a_release_or_after_it_changes_nothing a_unit_in_use_is_not_released
                a_use_on_another_cpu_is_an_error a_period_of_zero_is_refused
                requests_beyond_the_counters_are_named_and_nothing_is_held a_refused_request_leaves_nothing_programmed
                a_pin_that_does_not_exist_is_named a_second_start_or_stop_changes_nothing
                a_unit_that_does_not_count_is_found_out;
            multiplexing: a_thread_may_have_more_requests_than_counters
                a_group_that_cannot_be_counted_is_refused a_group_that_would_notify_is_refused
                groups_are_bound_once_until_they_are_unbound
                a_turn_goes_on_over_a_switch a_turn_that_a_group_waited_for_is_no_turn groups_that_are_out_stay_out
                groups_are_exchanged_with_another_thread_in_one_switch
                groups_of_which_one_is_still_in_elsewhere_are_all_invalid
                what_was_never_counted_has_no_estimate a_count_that_begins_elsewhere_is_estimated_from_there;
            threads: a_threads_counts_are_its_own an_evicted_context_is_told_so_where_it_looks_for_counters
                a_thread_is_somebody_whatever_the_clock_was_at_the_claim
                a_disabled_thread_counts_nothing_and_loses_nothing modes_can_be_changed_and_counts_stay
                a_thread_waits_while_its_counters_are_taken a_thread_yields_to_a_session_if_that_was_chosen
                a_thread_does_not_yield_to_a_session_that_was_dropped_elsewhere
                one_thread_is_in_at_a_time_and_others_wait a_context_is_bound_once_and_read_when_it_is_bound
                a_context_that_was_dropped_is_evicted a_request_that_only_counts_is_given_no_period;
            notifying: a_thread_that_waits_is_not_frozen_by_a_session;
            waiting: a_thread_that_waits_counts_from_when_it_was_placed no_thread_is_placed_while_another_is_in;
            comebacks: counters_that_a_thread_has_left_are_anybodys a_thread_goes_on_after_its_unit_was_given_back
                a_new_unit_in_an_old_ones_place_knows_none_of_its_threads
                a_later_claim_knows_none_of_the_threads_of_an_earlier_one_whatever_the_clock_says
                a_thread_that_is_still_in_elsewhere_is_invalid_where_it_comes
                a_thread_that_comes_again_after_its_unit_was_claimed_anew_is_invalid
                threads_of_cpus_with_high_numbers_are_told_apart a_thread_that_is_in_is_not_taken_out_by_another_cpu
                two_threads_are_switched_at_once;
            sleeping: a_session_is_read_while_its_unit_sleeps_and_nothing_else_is_done
                a_session_that_is_read_as_its_unit_wakes_has_its_count
                time_goes_on_over_a_sleep_and_the_sleep_is_not_counted what_the_unit_held_is_back_while_it_sleeps
                a_unit_that_is_given_up_is_as_it_was a_halt_leaves_a_unit_alone_that_sleeps_or_was_released;
        }
    };
}

/// What takes instructions and cycles at once.
macro_rules! behaviours_with_cycles {
    ($subject:ty) => {
        behaviours! { $subject:
            counting: requests_count_side_by_side counting_a_closure_takes_one_line
                modes_that_were_not_asked_for_are_not_counted;
            ownership: a_release_restores_what_was_there;
        }
    };
}

/// What takes an overflow interrupt: periods, and counts whose counters wrap while they run.
macro_rules! behaviours_that_sample {
    ($subject:ty) => {
        behaviours! { $subject:
            contract: a_unit_that_counts_is_halted_before_it_is_restored
                an_interrupt_at_any_access_of_an_open_finds_nothing;
            counting: counts_survive_any_number_of_wraps a_count_is_right_while_its_interrupt_is_still_on_its_way
                a_session_does_not_disturb_another a_reset_begins_anew_while_it_counts_or_not
                a_count_begins_at_its_preset counts_and_their_time_are_of_one_moment;
            sampling: a_one_shot_period_ends_on_the_nth_event a_one_shot_counter_stays_stopped
                a_one_shot_period_can_be_had_again a_one_shot_period_ends_once_however_late_its_interrupt
                a_one_shot_that_ends_as_it_is_stopped_has_ended periods_follow_each_other_without_a_gap
                a_period_longer_than_its_counter_ends_on_its_nth_event
                a_long_period_goes_on_over_a_sleep_and_with_its_thread
                counters_that_overflow_together_each_leave_a_sample a_full_ring_loses_samples_and_not_events
                an_interrupt_that_comes_late_is_claimed_once a_claim_expects_no_interrupt_of_the_claim_before
                an_interrupt_of_somebody_else_is_not_claimed
                periods_that_pass_unserviced_are_counted_as_lost
                a_kernel_gets_on_whatever_its_entry_takes_of_the_period
                a_start_begins_with_the_period_that_was_asked_for
                each_turn_of_a_thread_begins_with_the_period_that_was_asked_for
                a_period_that_ends_as_its_late_interrupt_comes_has_ended
                a_period_that_the_unit_lengthens_shortens_the_next_one samples_name_their_session_and_its_request;
            ownership: a_session_dropped_on_another_cpu_is_freed_at_home
                a_session_dropped_elsewhere_before_a_claim_takes_nothing_under_it
                an_ordinary_interrupt_comes_amid_no_operation a_counter_that_was_given_back_interrupts_nobody;
            races: an_overflow_at_any_access_of_a_start_or_stop_is_counted_and_kept
                an_overflow_at_any_access_of_another_session_is_counted_and_kept
                an_overflow_behind_the_access_of_a_read_does_not_tear_it
                a_one_shot_that_ends_amid_another_start_stays_ended
                a_one_shot_of_any_length_that_ends_amid_another_start_ends_once
                a_one_shot_that_has_ended_is_stopped_by_its_interrupt_at_any_access_of_another_start
                a_late_interrupt_of_a_one_shot_that_ended_amid_another_start_is_claimed
                a_one_shot_that_ends_at_any_access_of_another_session_stays_ended
                a_late_interrupt_is_waited_for_as_long_as_it_can_wait
                an_overflow_at_any_access_of_its_stop_is_not_repeated_beside_another
                a_late_interrupt_at_any_access_is_claimed an_interrupt_that_was_served_is_not_waited_for_any_more
                interrupts_of_several_overflows_are_claimed_and_no_more
                interrupts_of_several_overflows_at_any_access_of_a_stop_are_claimed_and_no_more;
            multiplexing: a_sample_says_which_group_it_was_of;
            threads: a_threads_counts_survive_any_number_of_wraps a_period_goes_on_where_the_thread_left_it
                samples_name_their_thread_and_its_request
                a_thread_that_notifies_counts_no_further_until_it_is_restarted
                a_notification_freezes_all_requests_of_its_thread a_created_thread_is_notified_before_it_counts
                a_thread_is_read_while_it_runs a_thread_keeps_its_counts_on_another_cpu
                another_period_begins_at_the_next_restart an_overflow_at_any_access_of_a_switch_is_counted_and_kept;
            notifying: a_notification_comes_to_a_thread_that_runs_for_an_event_at_a_time
                periods_end_for_a_thread_that_runs_for_an_event_at_a_time;
            waiting: a_thread_that_waits_is_not_frozen_by_what_a_session_has_ended
                a_thread_that_is_out_is_placed_and_keeps_its_counts a_threads_count_that_begins_near_its_end_wraps
                a_thread_notifies_when_its_count_wraps a_period_that_is_changed_before_it_begins_is_the_new_one;
            residues: a_thread_goes_on_from_what_another_left_however_little_range_it_left
                a_thread_goes_on_from_its_own_whoever_else_used_its_counter
                a_wrap_at_any_access_of_a_switch_is_the_leaving_threads;
            comebacks: a_thread_that_comes_back_goes_on a_count_that_follows_a_period_on_its_counter_crosses_a_wrap
                a_counter_used_by_another_in_between_is_programmed_anew
                a_thread_that_asks_anew_is_programmed_anew
                threads_that_are_switched_at_once_keep_their_counts_and_periods
                counts_are_exact_whoever_was_in_between;
            sleeping: counts_and_periods_go_on_after_a_sleep a_thread_goes_on_after_its_cpu_slept
                a_period_ends_however_often_its_unit_sleeps
                a_session_dropped_while_its_unit_sleeps_is_freed_when_it_wakes
                an_overflow_at_any_access_of_a_sleep_is_counted_and_kept
                what_is_open_when_a_unit_is_given_up_says_so_and_does_nothing_more
                a_session_whose_unit_was_given_up_has_not_ended_when_another_has
                a_halted_unit_counts_nothing_until_it_is_claimed_anew a_halt_amid_an_operation_lasts
                an_interrupt_that_is_on_its_way_to_a_halted_unit_is_claimed_once;
            operations: any_sequence_of_operations_counts_what_passed;
        }
    };
}

macro_rules! every_driver {
    ($($name:ident: $subject:ty $(, $two:ident)?;)*) => { $(mod $name {
        behaviours_of_three_counters! { $subject $(, $two)? }
        behaviours_of_two_counters! { $subject }
        behaviours_that_count! { $subject }
        behaviours_with_cycles! { $subject }
        behaviours_that_sample! { $subject }
    })* };
}

/// A unit without an overflow interrupt. Not all count cycles.
macro_rules! every_driver_without_interrupts {
    ($($name:ident: $subject:ty $(, $cycles:ident)?;)*) => { $(mod $name {
        behaviours_of_two_counters! { $subject }
        behaviours_that_count! { $subject }
        $(behaviours_with_cycles! { $subject } const _: &str = stringify!($cycles);)?
    })* };
}

/// A unit without an overflow interrupt that counts instructions on one counter alone, and in every mode.
#[allow(unused_macros, reason = "no unit of x86 has one counter")]
macro_rules! every_driver_of_one_counter_without_interrupts {
    ($($name:ident: $subject:ty;)*) => { $(mod $name {
        behaviours_that_count! { $subject }
    })* };
}

/// A unit that counts instructions on one counter alone: what takes two of them is left out.
#[allow(unused_macros, reason = "no unit of x86 has one counter")]
macro_rules! every_driver_of_one_counter {
    ($($name:ident: $subject:ty;)*) => { $(mod $name {
        behaviours! { $subject:
            contract: a_unit_that_counts_is_halted_before_it_is_restored
                a_unit_that_is_taken_over_anew_is_halted_and_can_be_started_again
                a_halt_at_any_access_of_a_lend_halts_every_counter
                a_halt_at_any_access_of_a_run_halts_every_counter a_preset_is_as_long_as_the_counter_can_wait;
            counting: a_count_is_exact what_the_host_withholds_counts_nothing_and_the_host_is_told
                a_counter_that_rests_selects_nothing_and_wants_nothing
                a_count_starts_from_zero_after_each_reset a_count_stays_after_a_stop
                resuming_goes_on_from_the_stop counts_survive_any_number_of_wraps
                a_count_is_right_while_its_interrupt_is_still_on_its_way a_narrow_count_is_exact
                a_reset_begins_anew_while_it_counts_or_not time_is_counted_only_while_the_session_runs
                every_counter_can_be_used_at_once;
            sampling: a_one_shot_period_ends_on_the_nth_event a_one_shot_counter_stays_stopped
                a_one_shot_period_can_be_had_again a_one_shot_period_ends_once_however_late_its_interrupt
                a_one_shot_that_ends_as_it_is_stopped_has_ended periods_follow_each_other_without_a_gap
                a_long_period_goes_on_over_a_sleep_and_with_its_thread
                counters_that_overflow_together_each_leave_a_sample a_full_ring_loses_samples_and_not_events
                an_interrupt_that_comes_late_is_claimed_once a_claim_expects_no_interrupt_of_the_claim_before
                an_interrupt_of_somebody_else_is_not_claimed
                periods_that_pass_unserviced_are_counted_as_lost
                a_kernel_gets_on_whatever_its_entry_takes_of_the_period
                a_start_begins_with_the_period_that_was_asked_for
                each_turn_of_a_thread_begins_with_the_period_that_was_asked_for
                a_period_that_ends_as_its_late_interrupt_comes_has_ended
                a_period_that_the_unit_lengthens_shortens_the_next_one a_count_that_only_counts_leaves_no_sample;
            ownership: a_unit_is_claimed_once a_claim_that_fails_leaves_no_driver a_released_unit_can_be_claimed_again
                a_claimed_unit_is_found_without_being_carried an_interrupt_amid_a_claim_changes_nothing
                an_interrupt_amid_a_release_or_after_it_changes_nothing a_unit_in_use_is_not_released
                a_use_on_another_cpu_is_an_error a_session_dropped_on_another_cpu_is_freed_at_home
                a_session_dropped_elsewhere_before_a_claim_takes_nothing_under_it a_period_of_zero_is_refused
                requests_beyond_the_counters_are_named_and_nothing_is_held
                a_refused_request_leaves_nothing_programmed a_pin_that_does_not_exist_is_named
                a_second_start_or_stop_changes_nothing a_unit_that_does_not_count_is_found_out;
            races: an_overflow_at_any_access_of_a_start_or_stop_is_counted_and_kept
                a_late_interrupt_is_waited_for_as_long_as_it_can_wait a_late_interrupt_at_any_access_is_claimed;
            multiplexing: a_thread_may_have_more_requests_than_counters a_group_that_cannot_be_counted_is_refused
                a_sample_says_which_group_it_was_of groups_are_bound_once_until_they_are_unbound
                a_turn_goes_on_over_a_switch a_turn_that_a_group_waited_for_is_no_turn groups_that_are_out_stay_out
                groups_are_exchanged_with_another_thread_in_one_switch
                groups_of_which_one_is_still_in_elsewhere_are_all_invalid
                what_was_never_counted_has_no_estimate a_count_that_begins_elsewhere_is_estimated_from_there;
            threads: a_threads_counts_are_its_own a_threads_counts_survive_any_number_of_wraps
                a_period_goes_on_where_the_thread_left_it samples_name_their_thread_and_its_request
                a_thread_that_notifies_counts_no_further_until_it_is_restarted
                a_created_thread_is_notified_before_it_counts a_disabled_thread_counts_nothing_and_loses_nothing
                a_thread_is_read_while_it_runs a_thread_keeps_its_counts_on_another_cpu
                modes_can_be_changed_and_counts_stay a_thread_waits_while_its_counters_are_taken
                a_thread_yields_to_a_session_if_that_was_chosen
                a_thread_does_not_yield_to_a_session_that_was_dropped_elsewhere
                one_thread_is_in_at_a_time_and_others_wait a_context_is_bound_once_and_read_when_it_is_bound
                a_context_that_was_dropped_is_evicted another_period_begins_at_the_next_restart
                a_request_that_only_counts_is_given_no_period;
            notifying: a_notification_comes_to_a_thread_that_runs_for_an_event_at_a_time
                periods_end_for_a_thread_that_runs_for_an_event_at_a_time
                a_thread_that_waits_is_not_frozen_by_a_session;
            waiting: a_thread_that_waits_is_not_frozen_by_what_a_session_has_ended
                a_thread_that_waits_counts_from_when_it_was_placed
                a_thread_that_is_out_is_placed_and_keeps_its_counts no_thread_is_placed_while_another_is_in
                a_threads_count_that_begins_near_its_end_wraps a_thread_notifies_when_its_count_wraps
                a_period_that_is_changed_before_it_begins_is_the_new_one;
            comebacks: a_thread_that_comes_back_goes_on a_count_that_follows_a_period_on_its_counter_crosses_a_wrap
                a_counter_used_by_another_in_between_is_programmed_anew
                counters_that_a_thread_has_left_are_anybodys a_thread_goes_on_after_its_unit_was_given_back
                a_thread_that_asks_anew_is_programmed_anew
                a_new_unit_in_an_old_ones_place_knows_none_of_its_threads
                a_later_claim_knows_none_of_the_threads_of_an_earlier_one_whatever_the_clock_says
                a_thread_that_is_still_in_elsewhere_is_invalid_where_it_comes
                a_thread_that_comes_again_after_its_unit_was_claimed_anew_is_invalid
                threads_of_cpus_with_high_numbers_are_told_apart
                a_thread_that_is_in_is_not_taken_out_by_another_cpu two_threads_are_switched_at_once
                threads_that_are_switched_at_once_keep_their_counts_and_periods;
            sleeping: a_session_is_read_while_its_unit_sleeps_and_nothing_else_is_done
                a_session_that_is_read_as_its_unit_wakes_has_its_count
                time_goes_on_over_a_sleep_and_the_sleep_is_not_counted a_thread_goes_on_after_its_cpu_slept
                a_period_ends_however_often_its_unit_sleeps what_the_unit_held_is_back_while_it_sleeps
                a_session_dropped_while_its_unit_sleeps_is_freed_when_it_wakes
                an_overflow_at_any_access_of_a_sleep_is_counted_and_kept
                what_is_open_when_a_unit_is_given_up_says_so_and_does_nothing_more
                a_session_whose_unit_was_given_up_has_not_ended_when_another_has
                a_unit_that_is_given_up_is_as_it_was
                an_interrupt_that_is_on_its_way_to_a_halted_unit_is_claimed_once
                a_halt_leaves_a_unit_alone_that_sleeps_or_was_released;
        }
    })* };
}

/// What takes a request on two counters, of a processor that has such. Its other sentences are in [`every_driver`].
macro_rules! every_driver_with_pairs {
    ($($name:ident: $subject:ty;)*) => { $(mod $name {
        behaviours! { $subject:
            pairs: a_lower_half_that_wraps_at_any_access_carries
                an_overflow_of_a_pair_at_any_access_of_a_start_or_stop_is_counted_and_kept
                a_thread_goes_on_after_a_pair_had_its_counter
                a_pairs_periods_follow_each_other_without_a_gap
                a_late_interrupt_of_a_pair_at_any_access_of_its_stop_is_claimed
                somebody_elses_interrupt_at_any_access_finds_no_overflow_in_a_pair
                a_threads_pair_goes_on_where_it_left_whatever_comes_amid_a_switch
                a_pair_goes_on_after_a_sleep_whatever_comes_amid_it;
        }
    })* };
}
