/**
 * Who is notified of a comment on the document. A new thread: the author of the request and the people who are asked
 * now. An answer: the author and the people who wrote in the thread. Nobody outside its organisation is notified of
 * an internal comment (decision 087).
 */
import { minute } from '../durations.ts'
import {
  allowedRecipients,
  askedAt,
  isAsked,
  recipientKey,
  type NotifiedPoint,
  type NotifiedRequest,
  type Notice,
  type Person,
  type Reader,
} from './notices.ts'

/** Several comments within this time cause one e-mail to a person; all of them are under the bell. */
export const oneEmailWithin = 10 * minute

export type NotifiedComment = {
  actorId: string
  /** The numbers of an actor without an account, whose own address gets no e-mail. */
  actorNumbers: readonly string[]
  isAnswer: boolean
  isShared: boolean
  /** The organisation of the thread. */
  organizationId: string | null
  /** People with an account who wrote in the thread before. */
  writers: readonly Person[]
  /** The numbers of people without an account who wrote there: an address gets e-mails only for its own number. */
  outsiderNumbers: readonly string[]
}

export function commentNotices(request: NotifiedRequest, comment: NotifiedComment): Notice[] {
  const { actorId, isAnswer, isShared, organizationId, outsiderNumbers } = comment
  const people = [...(request.author ? [request.author] : []), ...comment.writers]
  const asked = request.points.filter((point) => isAsked(request, point)).flatMap((point) => askedAt(point))
  const isOfWriter = (reader: Reader) =>
    'email' in reader && reader.point.bin !== null && outsiderNumbers.includes(reader.point.bin)
  const readers = [
    ...people.map((person) => ({ person, isByEmail: true })),
    ...asked.filter((reader) => (isAnswer ? isOfWriter(reader) : true)),
  ].filter((reader) => !('email' in reader) || !isOwnAddress(reader.point, comment))
  const chosen = new Map<string, Notice>()
  for (const { to, isByEmail } of allowedRecipients(request, readers)) {
    if (to.userId === actorId || (!isShared && to.organizationId !== organizationId)) continue
    const key = recipientKey(to)
    if (chosen.get(key)?.isByEmail) continue
    chosen.set(key, {
      kind: 'comment',
      number: 0,
      to,
      asks: null,
      process: 'signing',
      pointId: null,
      isDiscreet: false,
      isByEmail,
    })
  }
  const known = new Set([...chosen.values()].flatMap(({ to }) => (to.userId === null ? [] : [to.email])))
  return [...chosen.values()].filter(({ to }) => to.userId !== null || !known.has(to.email))
}

function isOwnAddress({ people, bin }: NotifiedPoint, { actorId, actorNumbers }: NotifiedComment): boolean {
  return people.some(({ userId }) => userId === actorId) || (bin !== null && actorNumbers.includes(bin))
}
