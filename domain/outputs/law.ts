/**
 * The law that makes an electronic document equal to one on paper. It has changed over time, so a document is printed
 * with the law that was in force on its date. This list and `texts/*\/law.json` are the only places that name a law
 * on electronic documents (tools/law-home.test.ts); a lawyer confirms them before production (docs/operations.md).
 */
export type Law = {
  /** Its texts in `law.json`. */
  name: 'electronicDocumentLaw' | 'digitalCode'
  number: string
  /** In the register of legal acts; null: not cited. */
  registerNumber: string | null
  /** Null where it is not confirmed: then the law is cited as a whole. */
  article: { article: string; paragraph: string } | null
  /** The first and the last day of force; null: the earliest that is known, and until further notice. */
  validFrom: string | null
  validTo: string | null
}

/** The laws in chronological order, without gaps. */
export const electronicDocumentLaws: readonly [Law, ...Law[]] = [
  {
    name: 'electronicDocumentLaw',
    number: '370-II',
    registerNumber: null,
    article: { article: '7', paragraph: '1' },
    validFrom: null,
    validTo: '2026-07-10',
  },
  {
    name: 'digitalCode',
    number: '255-VIII',
    registerNumber: 'K2600000255',
    article: null,
    validFrom: '2026-07-11',
    validTo: null,
  },
]

/** The law in force on the day, YYYY-MM-DD. */
export function lawOn(date: string): Law {
  const [first] = electronicDocumentLaws
  return electronicDocumentLaws.findLast(({ validFrom }) => validFrom === null || validFrom <= date) ?? first
}

/** The parameters for the texts of a law. */
export function lawParameters({ number, article }: Law): Record<string, string> {
  return { number, ...article }
}
