/**
 * Conditions of a route: a point with a condition is taken or passed over when a document is sent, by the facts that
 * are then known of the document.
 *
 * A condition is a list of terms joined by "and" or "or". A term whose value is not known is neither met nor failed.
 * A point is passed over only if its condition is certainly not met, so a point that cannot be judged is taken.
 */
import { isSigningType, sideOf, type PointType } from '../points/point-types.ts'

export const joins = ['and', 'or'] as const
export const mostTerms = 5
export const mostChoices = 20
export const largestAmount = 999_999_999_999_999

type Kind = { id: string; name: string }
type Counterparty = { bin: string; name: string }

/** A term keeps the names of when the route was saved, so that its sentence stays readable. */
export type Term =
  | { subject: 'kind'; test: 'is' | 'isNot'; kinds: Kind[] }
  | { subject: 'counterparty'; test: 'is' | 'isNot'; counterparties: Counterparty[] }
  /** In tenge. */
  | { subject: 'amount'; test: 'over' | 'upTo'; amount: number }
  | { subject: 'variable'; test: 'is' | 'isNot' | 'over' | 'upTo'; name: string; value: string }

export type Condition = { join: (typeof joins)[number]; terms: Term[] }

/** What is known of a document when it is sent; null and missing values are not known. */
export type DocumentFacts = {
  kind: Kind | null
  amount: number | null
  variables: Readonly<Record<string, string>>
}
/** All facts: those of the document, and the numbers of the other sides, which come from the route. */
export type Facts = DocumentFacts & { counterparties: readonly string[] }

export const verdicts = ['met', 'notMet', 'unknown'] as const
export type Verdict = (typeof verdicts)[number]

export function judge({ join, terms }: Condition, facts: Facts): Verdict {
  const found = terms.map((term) => judgeTerm(term, facts))
  const decisive = join === 'and' ? 'notMet' : 'met'
  if (found.includes(decisive)) return decisive
  if (found.includes('unknown')) return 'unknown'
  return join === 'and' ? 'met' : 'notMet'
}

function judgeTerm(term: Term, { kind, amount, counterparties, variables }: Facts): Verdict {
  switch (term.subject) {
    case 'kind': {
      if (kind === null) return 'unknown'
      const isAmong = term.kinds.some(({ id }) => id === kind.id)
      return verdictOf(isAmong === (term.test === 'is'))
    }
    case 'counterparty': {
      // `isNot` is met as soon as one of several sides is not in the list.
      const isListed = (number: string) => term.counterparties.some(({ bin }) => bin === number)
      if (term.test === 'is') return verdictOf(counterparties.some(isListed))
      return verdictOf(counterparties.length === 0 || !counterparties.every(isListed))
    }
    case 'amount':
      return amount === null ? 'unknown' : verdictOf(amount > term.amount === (term.test === 'over'))
    case 'variable':
      return judgeVariable(term, valueNamed(variables, term.name) ?? '')
  }
}

function judgeVariable({ test, value }: Extract<Term, { subject: 'variable' }>, known: string): Verdict {
  if (known.trim() === '') return 'unknown'
  if (test === 'is' || test === 'isNot') {
    return verdictOf((folded(known) === folded(value)) === (test === 'is'))
  }
  const [left, right] = [numberIn(known), numberIn(value)]
  return left === null || right === null ? 'unknown' : verdictOf(left > right === (test === 'over'))
}

function verdictOf(isMet: boolean): Verdict {
  return isMet ? 'met' : 'notMet'
}

/** The form in which texts are compared: case and repeated spaces do not matter. */
function folded(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** The value of a variable; empty if it has several values, undefined if it has none. */
function valueNamed(variables: DocumentFacts['variables'], name: string): string | undefined {
  const [first, ...others] = Object.entries(variables).filter(([known]) => folded(known) === folded(name))
  if (!first) return undefined
  return others.every(([, value]) => folded(value) === folded(first[1])) ? first[1] : ''
}

/**
 * A number as people write it (1 250 000,50); null for other text. Three digits after a comma or a point are refused,
 * because they may be thousands.
 */
export function numberIn(text: string): number | null {
  const plain = text.replaceAll(/\s/g, '').replace(',', '.')
  return /^-?\d{1,15}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null
}

export type ConditionalPoint = { type: PointType; bin: string; condition: Condition | null }

export type JudgedWay<P> = {
  taken: P[]
  /** The points that have a condition. */
  judged: { point: P; condition: Condition; verdict: Verdict }[]
  facts: Facts
}

/**
 * The way of a document along a route. The counterparties in the facts come only from points whose own condition does
 * not ask for the counterparty: otherwise such a point would decide about itself.
 */
export function wayOf<P extends ConditionalPoint>(points: readonly P[], known: DocumentFacts): JudgedWay<P> {
  const isTaken = ({ condition }: P, facts: Facts) =>
    condition === null || judge(condition, facts) !== 'notMet'
  const alone = { ...known, counterparties: [] }
  const outside = points.filter(
    (point) => sideOf(point.type) !== 'internal' && !asksForCounterparty(point) && isTaken(point, alone),
  )
  const facts = { ...known, counterparties: [...new Set(outside.map(({ bin }) => bin))] }
  return {
    taken: points.filter((point) => isTaken(point, facts)),
    judged: points.flatMap((point) =>
      point.condition ? [{ point, condition: point.condition, verdict: judge(point.condition, facts) }] : [],
    ),
    facts,
  }
}

function asksForCounterparty({ condition }: ConditionalPoint): boolean {
  return condition?.terms.some(({ subject }) => subject === 'counterparty') ?? false
}

/** What the conditions of a route need to know of a document. */
export type ConditionQuestions = { kind: boolean; amount: boolean; variables: string[] }

export function askedBy(points: readonly { condition: Condition | null }[]): ConditionQuestions {
  const terms = points.flatMap(({ condition }) => condition?.terms ?? [])
  const names = terms.flatMap((term) => (term.subject === 'variable' ? [term.name] : []))
  return {
    kind: terms.some(({ subject }) => subject === 'kind'),
    amount: terms.some(({ subject }) => subject === 'amount'),
    variables: [...new Set(names)],
  }
}

/** Keeps only the facts that the conditions ask for, to be stored with a request. */
export function askedFacts(
  { kind, amount, variables }: ConditionQuestions,
  known: DocumentFacts,
): DocumentFacts {
  return {
    kind: kind ? known.kind : null,
    amount: amount ? known.amount : null,
    variables: Object.fromEntries(
      variables.flatMap((name) => {
        const value = valueNamed(known.variables, name)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  }
}

/** The names by which a template calls the amount of a contract. */
const amountName = /сумм|сома|amount/i

export type WrittenFacts = Omit<DocumentFacts, 'kind'> & {
  /** The document has an amount, or several among which the right one is unclear. */
  saysAmount: boolean
}

/** The facts in the text of a document; the amount is the only number variable with such a name. */
export function factsInText(
  variables: readonly { name: string; kind: string; values: readonly string[] }[],
): WrittenFacts {
  const filled = variables.filter(({ values }) => values.length > 0)
  const amounts = filled.filter(({ name, kind }) => kind === 'number' && amountName.test(name))
  const [only, ...others] = amounts.flatMap(({ values }) => values)
  return {
    saysAmount: only !== undefined,
    amount: only !== undefined && others.length === 0 ? numberIn(only) : null,
    // A variable with two values counts as unclear.
    variables: Object.fromEntries(
      filled.map(({ name, values: [value, ...more] }) => [name, more.length === 0 ? value! : '']),
    ),
  }
}

/**
 * Facts from the document take precedence; missing ones are taken from the sender. If both state different amounts,
 * the amount is unknown.
 */
export function joinedFacts(
  kind: Kind | null,
  said: WrittenFacts,
  typed: Omit<DocumentFacts, 'kind'>,
): DocumentFacts {
  const isSaid = (name: string) => valueNamed(said.variables, name) !== undefined
  const ofSender = Object.entries(typed.variables).filter(([name]) => !isSaid(name))
  const isDisputed = typed.amount !== null && typed.amount !== said.amount
  return {
    kind,
    amount: said.saysAmount ? (isDisputed ? null : said.amount) : typed.amount,
    variables: { ...Object.fromEntries(ofSender), ...said.variables },
  }
}

/** Whether every signing point has a condition, so that a request could end without a signature. */
export function mayEndUnsigned(points: readonly { type: PointType; condition: Condition | null }[]): boolean {
  const signing = points.filter(({ type }) => isSigningType(type))
  return signing.length > 0 && signing.every(({ condition }) => condition !== null)
}

export function sameCondition(one: Condition | null, other: Condition | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
