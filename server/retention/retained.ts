/** Until when a document that has ended is kept, and why. */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { keepingOf, stateOfKeeping } from '@kelisim/domain/retention/terms.ts'
import type { EndedRow, TermRow } from './queries.ts'

export type RetainedView = ReturnType<typeof retained>

export function retained(row: EndedRow, terms: readonly TermRow[], today: string) {
  const {
    id,
    name,
    number,
    kindName,
    endedOn,
    isReceived,
    isGone,
    isSigned,
    holdId,
    holdReason,
    heldBy,
    heldAt,
  } = row
  const dated = terms.map((term) => ({ ...term, addedOn: dateInAlmaty(term.addedAt) }))
  const keeping = keepingOf(dated, row, today)
  return {
    signingRequestId: id,
    name,
    number,
    kind: kindName,
    endedOn,
    isReceived,
    state: isGone ? ('destroyed' as const) : stateOfKeeping(keeping, holdId !== null, today),
    until: keeping?.until ?? null,
    basis: keeping?.term.basis ?? null,
    isSigned,
    hold:
      holdId === null
        ? null
        : { id: holdId, reason: holdReason ?? '', by: heldBy ?? '', at: heldAt!.toISOString() },
  }
}
