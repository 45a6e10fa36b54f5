/**
 * For tests, loaded before anything else (`node --import`): the clock of this process shows another time. Certificates of
 * tests are of a certain year; and clocks that are wrong are a fault like any other.
 */
const offset = Number(process.env['TEST_CLOCK_OFFSET'] ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + offset)
    // Whatever else a date is made of goes by as it is.
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + offset
  }
} as DateConstructor
