/** A refusal that only the app gets, with its own text. */
export class PhoneRefusal extends Error {
  readonly status: number
  readonly why: 'unknown' | 'over' | 'used' | 'malformed'
  constructor(status: number, why: PhoneRefusal['why']) {
    super(why)
    this.status = status
    this.why = why
  }
}
