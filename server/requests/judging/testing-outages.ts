/**
 * For tests, and for docs/product/outages.md: what becomes of a signature for every state of the certification centre's
 * services. An outage is never a verdict: the product waits and asks again, and a wrong answer is as if there were none.
 */
import { conditions, type Condition } from '../../signatures/testing-centre.ts'

export const ways = ['desktop', 'phone', 'quick send'] as const
export type SigningWay = (typeof ways)[number]

/** For each outcome: what is stored, what the person reads now (a key of texts/), and what happens later. */
export const outcomes = {
  accepted: {
    kept: 'the signature, its evidence',
    now: 'requests:signing.done.accepted',
    later:
      'the document goes on; without a timestamp of its own, one is asked for until the service gives it',
  },
  'accepted when answered': {
    kept: 'the signature',
    now: 'requests:signing.done.checking',
    later: 'accepted as soon as the answer comes, and every open page shows it',
  },
  waits: {
    kept: 'the signature',
    now: 'requests:signing.done.checking',
    later:
      'asked again after 30 s, then ever less often, every hour at last; refused no sooner than after 24 h',
  },
  'not signed': {
    kept: 'nothing',
    now: 'signatures:codes.DS-807',
    later: 'the person signs when the timestamp service is back',
  },
  'wrong stamp': {
    kept: 'the signature, as refused',
    now: 'signatures:codes.DS-605',
    later: 'the stamp inside it can never become right, so the person signs again',
  },
  'wrong stamp when answered': {
    kept: 'the signature',
    now: 'requests:signing.done.checking',
    later: 'refused when the check ends: the person signs again',
  },
  sent: {
    kept: 'the signature, its evidence and the request',
    now: 'landing-quick-send:sent.title',
    later: 'the document goes on; a timestamp is asked for until the service gives it',
  },
  'sent when answered': {
    kept: 'nothing until the answer comes',
    now: 'landing-quick-send:sign.committing',
    later: 'sent as soon as the answer comes',
  },
  'not sent': {
    kept: 'the document, for a day',
    now: 'errors:signature-not-checked.text',
    later: 'the same signature is sent again by a button; the try is not counted',
  },
} as const
export type OutageOutcome = keyof typeof outcomes

export type OutageRow = {
  ways: readonly SigningWay[]
  isStampRequired: readonly boolean[]
  ocsp: readonly Condition[]
  crl: readonly Condition[]
  tsp: readonly Condition[]
  outcome: OutageOutcome
}

const any = conditions
const away: readonly Condition[] = ['down', 'lies']

/** What is known of the certificate: OCSP is asked first, and the CRL if OCSP did not answer. */
const revocation = {
  known: [
    { ocsp: ['answers'], crl: any },
    { ocsp: away, crl: ['answers'] },
  ],
  late: [
    { ocsp: ['slow'], crl: any },
    { ocsp: away, crl: ['slow'] },
  ],
  unknown: [{ ocsp: away, crl: away }],
} as const

type Known = keyof typeof revocation

function rows(
  base: Omit<OutageRow, 'ocsp' | 'crl' | 'outcome'>,
  of: Record<Known, OutageOutcome>,
): OutageRow[] {
  return (Object.keys(revocation) as Known[]).flatMap((known) =>
    revocation[known].map(({ ocsp, crl }) => ({ ...base, ocsp, crl, outcome: of[known] })),
  )
}

const signed = { known: 'accepted', late: 'accepted when answered', unknown: 'waits' } as const

/** Every combination is in exactly one row. */
export const outageTable: readonly OutageRow[] = [
  // The timestamp is asked for afterwards, so its service does not matter for the verdict.
  ...rows({ ways: ['desktop', 'phone'], isStampRequired: [false], tsp: any }, signed),
  ...rows({ ways: ['desktop', 'phone'], isStampRequired: [true], tsp: ['answers'] }, signed),
  // The signing program or the app asks for the timestamp before anything is sent here.
  {
    ways: ['desktop', 'phone'],
    isStampRequired: [true],
    ocsp: any,
    crl: any,
    tsp: ['slow', 'down'],
    outcome: 'not signed',
  },
  // The stamp is wrong whatever the other services say, so there is nothing to wait for.
  ...rows(
    { ways: ['desktop', 'phone'], isStampRequired: [true], tsp: ['lies'] },
    {
      known: 'wrong stamp',
      late: 'wrong stamp when answered',
      unknown: 'wrong stamp',
    },
  ),
  // Quick send never requires a timestamp.
  ...rows(
    { ways: ['quick send'], isStampRequired: [false], tsp: any },
    {
      known: 'sent',
      late: 'sent when answered',
      unknown: 'not sent',
    },
  ),
]

export type Combination = {
  way: SigningWay
  isStampRequired: boolean
  ocsp: Condition
  crl: Condition
  tsp: Condition
}

export function combinations(): Combination[] {
  return ways.flatMap((way) =>
    (way === 'quick send' ? [false] : [false, true]).flatMap((isStampRequired) =>
      conditions.flatMap((ocsp) =>
        conditions.flatMap((crl) => conditions.map((tsp) => ({ way, isStampRequired, ocsp, crl, tsp }))),
      ),
    ),
  )
}

export function rowsOf({ way, isStampRequired, ocsp, crl, tsp }: Combination): OutageRow[] {
  return outageTable.filter(
    (row) =>
      row.ways.includes(way) &&
      row.isStampRequired.includes(isStampRequired) &&
      row.ocsp.includes(ocsp) &&
      row.crl.includes(crl) &&
      row.tsp.includes(tsp),
  )
}
