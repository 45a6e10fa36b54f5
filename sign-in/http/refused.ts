/** An expected refusal that is shown as a page; its texts are under `error` in sign-in.json. */
export type RefusalKind =
  | 'foreign'
  | 'not-found'
  | 'bad-return'
  | 'bad-request'
  | 'too-many'
  | 'unavailable'
  | 'unexpected'

/**
 * The sign-in of this page is over, or belongs to another browser. The person is sent to a new sign-in, which passes
 * people who are signed in already on to the application: so the browser's back button never leads to a dead end.
 */
export class SignInEnded extends Error {
  constructor() {
    super('The sign-in of this page is over')
    this.name = 'SignInEnded'
  }
}

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
