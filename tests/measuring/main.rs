//! What a kernel and its programs measure, whatever the family: placement, threads, and pages that programs read.

mod exclusion;
#[path = "../../arch/families.rs"]
mod families;
mod held_counters;
mod placement;
mod placing_catalogues;
mod placing_threads;
mod restless;
mod shapes;
mod sizes;
#[path = "../support/mod.rs"]
mod support;
mod user_page;
mod user_page_on_arm;
mod user_page_on_power;
mod watershed;
