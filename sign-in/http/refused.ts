/** An expected refusal that is shown as a page; its texts are under `error` in sign-in.json. */
export type RefusalKind =
  | 'stale'
  | 'foreign'
  | 'not-found'
  | 'bad-return'
  | 'bad-request'
  | 'too-many'
  | 'unavailable'
  | 'unexpected'

export class Refused extends Error {
  readonly kind: RefusalKind
  readonly status: number
  constructor(kind: RefusalKind, status: number) {
    super(kind)
    this.name = 'Refused'
    this.kind = kind
    this.status = status
  }
}
