/**
 * How long documents are kept (docs/product/retention.md): an organisation has a table of terms by kind of document.
 * Its rules are dated, because laws and rules change.
 */

export type RetentionTerm = {
  /** Null: for documents of all kinds that have no term of their own. */
  kindId: string | null
  /** Null: for ever. */
  years: number | null
  /** The day from which the rule is valid. */
  validFrom: string
  /** The day on which the rule was added to the table. */
  addedOn: string
}

/** The term of a kind on a day: its own, else the common one; the latest of several. Null: there is none. */
export function termOn<T extends RetentionTerm>(
  terms: readonly T[],
  kindId: string | null,
  day: string,
): T | null {
  const inForce = terms.filter(({ validFrom }) => validFrom <= day)
  const latest = (of: string | null) =>
    inForce
      .filter((term) => term.kindId === of)
      .reduce<T | null>((best, term) => (best && best.validFrom > term.validFrom ? best : term), null)
  return (kindId === null ? null : latest(kindId)) ?? latest(null)
}

export type Keeping<T extends RetentionTerm> =
  /** `until` is the last day on which the document has to be kept; null: for ever. */
  { term: T; until: string | null }

/**
 * Until when a document is kept. As in archives, the term counts from the first of January after the year in which
 * the document ended. A shorter new rule never shortens a term that was promised when the document ended or later,
 * whatever date the rule has: the longest term counts. `terms` are in the order in which they were added. Null: no
 * term is known.
 */
export function keepingOf<T extends RetentionTerm>(
  terms: readonly T[],
  { kindId, endedOn }: { kindId: string | null; endedOn: string },
  today: string,
): Keeping<T> | null {
  // The table as it was on the day of the end, and after each day on which it was changed since then.
  const days = [endedOn, ...new Set(terms.map(({ addedOn }) => addedOn).filter((day) => day > endedOn))]
  const promised = days.map((day) =>
    termOn(
      terms.filter(({ addedOn }) => addedOn <= day),
      kindId,
      endedOn,
    ),
  )
  const found = [...promised, termOn(terms, kindId, today)].filter((term) => term !== null)
  const [first] = found
  if (!first) return null
  const longest = found.reduce((one, other) => (yearsOf(other) > yearsOf(one) ? other : one), first)
  if (longest.years === null) return { term: longest, until: null }
  return { term: longest, until: `${Number(endedOn.slice(0, 4)) + longest.years}-12-31` }
}

function yearsOf({ years }: RetentionTerm): number {
  return years ?? Infinity
}

/** held: must not be destroyed, whatever its term; due: its term has ended; unknown: it has no term. */
export const keepingStates = ['held', 'due', 'kept', 'forever', 'unknown'] as const
export type KeepingState = (typeof keepingStates)[number]

/** destroyed: an act named the document, and its file is gone. */
export const retainedStates = [...keepingStates, 'destroyed'] as const
export type RetainedState = (typeof retainedStates)[number]

export function stateOfKeeping(
  keeping: { until: string | null } | null,
  isHeld: boolean,
  today: string,
): KeepingState {
  if (isHeld) return 'held'
  if (!keeping) return 'unknown'
  if (keeping.until === null) return 'forever'
  return keeping.until < today ? 'due' : 'kept'
}
