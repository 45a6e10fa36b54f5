/** Correcting a running request: when it is refused, and who sees the earlier documents (decision 076). */
import type { Alias } from '../../errors.ts'
import type { StoredConditions } from '../../routes/condition-contract.ts'

/**
 * Points that were passed over because of facts from the document would have to be judged again, but the request no
 * longer contains them: such a request has to be withdrawn and sent again.
 */
export function whyNotReplace(conditions: StoredConditions | null): Alias | null {
  const passed = conditions?.points.filter(({ verdict }) => verdict === 'notMet') ?? []
  const isByDocument = passed.some(({ condition }) =>
    condition.terms.some(({ subject }) => subject === 'amount' || subject === 'variable'),
  )
  return isByDocument ? 'correction-needs-sending-again' : null
}

/**
 * The people of the sender see every document. Others see the documents since the request first reached them, because
 * earlier ones are drafts of the sender.
 */
export function seenRevisions<R extends { fromEvent: number }>(
  revisions: readonly R[],
  reachedAt: number | 'always' | null,
): R[] {
  if (reachedAt === 'always') return [...revisions]
  if (reachedAt === null) return revisions.slice(-1)
  return revisions.filter((_, i) => (revisions[i + 1]?.fromEvent ?? Infinity) > reachedAt)
}
