/** Correcting a running request: when it is refused, and who sees the documents before it (decision 076). */
import type { Alias } from '../../errors.ts'
import type { StoredConditions } from '../../routes/condition-contract.ts'

/**
 * Points that were passed over because of what the document says would have to be judged again, and the request has none of
 * them: such a document is withdrawn and sent again.
 */
export function whyNotReplace(conditions: StoredConditions | null): Alias | null {
  const passed = conditions?.points.filter(({ verdict }) => verdict === 'notMet') ?? []
  const isByDocument = passed.some(({ condition }) =>
    condition.terms.some(({ subject }) => subject === 'amount' || subject === 'variable'),
  )
  return isByDocument ? 'correction-needs-sending-again' : null
}

/**
 * The people of the sender see every document. Others see those that were there from when the request first reached them: what
 * was changed before is a draft of the sender.
 */
export function seenRevisions<R extends { fromEvent: number }>(
  revisions: readonly R[],
  reachedAt: number | 'always' | null,
): R[] {
  if (reachedAt === 'always') return [...revisions]
  if (reachedAt === null) return revisions.slice(-1)
  return revisions.filter((_, i) => (revisions[i + 1]?.fromEvent ?? Infinity) > reachedAt)
}
