/** PDF uses points, 72 to an inch; our layouts use millimetres. */
export const millimetre = 72 / 25.4

/** An A4 page, in points. */
export const a4 = { width: 595.28, height: 841.89 } as const
