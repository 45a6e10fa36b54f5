/**
 * For tests, loaded before anything else (`node --import`): shifts the clock of this process. Test certificates belong
 * to a certain year, and wrong clocks are a fault to be tested.
 */
const offset = Number(process.env['TEST_CLOCK_OFFSET'] ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + offset)
    // Other constructor arguments are passed on unchanged.
    else super(...(given as [number]))
  }

  static override now(): number {
    return RealDate.now() + offset
  }
} as DateConstructor
