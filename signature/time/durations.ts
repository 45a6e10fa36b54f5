/** Durations in milliseconds, as dates and timers take them. */
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The tolerated difference between the clocks of services and the engine's. */
export const clockAllowance = 5 * minute
