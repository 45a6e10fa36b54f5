/**
 * Conditions of a route: a point with one is taken or passed over when a document is sent, by what is known of it then.
 *
 * A condition is a list of terms joined by "and" or "or". A term whose value is not known can be neither met nor failed;
 * a point is passed over only if its condition is surely not met, so what cannot be judged is taken.
 */
import { isSigningType, sideOf, type PointType } from '../points/point-types.ts'

export const joins = ['and', 'or'] as const
export const mostTerms = 5
export const mostChoices = 20
export const largestAmount = 999_999_999_999_999

type Kind = { id: string; name: string }
type Counterparty = { bin: string; name: string }

/** The names are as they were when the route was saved, so that the sentence can be read later. */
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
/** With the numbers of the other sides, which the route gives. */
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
      // Of several sides one stranger is enough: a listed one beside it does not make it known.
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

/** Capitals and repeated spaces make no difference. */
function folded(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

/** Empty if it has several values; undefined if it has none. */
function valueNamed(variables: DocumentFacts['variables'], name: string): string | undefined {
  const [first, ...others] = Object.entries(variables).filter(([known]) => folded(known) === folded(name))
  if (!first) return undefined
  return others.every(([, value]) => folded(value) === folded(first[1])) ? first[1] : ''
}

/**
 * 1 250 000,50 as people write it; null for what is no number. Three digits after the sign may be thousands, so they are not
 * understood.
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
 * The way of a document along a route. The other sides are those that act at points which the route takes whoever they
 * are: a point that asks for the counterparty does not decide who that is.
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

/** Only what the conditions ask for is kept with a request. */
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
  /** It has an amount, or several of which nobody can tell which is meant. */
  saysAmount: boolean
}

/** What the text of a document says; the amount is the one number that is called so. */
export function factsInText(
  variables: readonly { name: string; kind: string; values: readonly string[] }[],
): WrittenFacts {
  const filled = variables.filter(({ values }) => values.length > 0)
  const amounts = filled.filter(({ name, kind }) => kind === 'number' && amountName.test(name))
  const [only, ...others] = amounts.flatMap(({ values }) => values)
  return {
    saysAmount: only !== undefined,
    amount: only !== undefined && others.length === 0 ? numberIn(only) : null,
    // One name with two values says nothing.
    variables: Object.fromEntries(
      filled.map(({ name, values: [value, ...more] }) => [name, more.length === 0 ? value! : '']),
    ),
  }
}

/**
 * What the document itself says counts; what it does not say is taken from the sender. Where both say an amount and not the
 * same one, none is known.
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

/** Every point at which somebody signs has a condition: a document could end without a signature. */
export function mayEndUnsigned(points: readonly { type: PointType; condition: Condition | null }[]): boolean {
  const signing = points.filter(({ type }) => isSigningType(type))
  return signing.length > 0 && signing.every(({ condition }) => condition !== null)
}

export function sameCondition(one: Condition | null, other: Condition | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
