//! The processors: each family is registers, events, driver, device.
