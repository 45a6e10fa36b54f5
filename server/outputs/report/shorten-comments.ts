import type { ReportFacts } from './report-job.ts'

/**
 * The most characters of all comments together: more than twice as many as ten signatures with the longest comments
 * have.
 */
export const mostCharacters = 50_000
const shortCharacters = 100

type Point = ReportFacts['request']['points'][number]

/**
 * Shortens comments beyond the limit. Those of accepted signatures take precedence over those of refused ones; the
 * entries of the log have all of them in full.
 */
export function withShortComments(facts: ReportFacts): ReportFacts {
  let left = mostCharacters
  const short = <T extends { comment: string }>(entry: T): T => {
    if (entry.comment.length > left) return { ...entry, comment: startOf(entry.comment) }
    left -= entry.comment.length
    return entry
  }
  const isAccepted = ({ state }: Point['signatures'][number]) => state === 'accepted'
  const { request } = facts
  const standing = (points: readonly Point[]) =>
    points.map((point) => ({
      ...point,
      acts: point.acts.map(short),
      signatures: point.signatures.map((one) => (isAccepted(one) ? short(one) : one)),
    }))
  const refused = (points: readonly Point[]) =>
    points.map((point) => ({
      ...point,
      signatures: point.signatures.map((one) => (isAccepted(one) ? one : short(one))),
    }))
  const points = standing(request.points)
  const { termination } = request
  const ended = termination && { ...termination, points: standing(termination.points) }
  return {
    ...facts,
    request: {
      ...request,
      points: refused(points),
      termination: ended && { ...ended, points: refused(ended.points) },
    },
    events: facts.events.map(short),
  }
}

function startOf(comment: string): string {
  if (comment.length <= shortCharacters) return comment
  return `${comment.slice(0, shortCharacters).toWellFormed().replaceAll(/\s+/g, ' ')}…`
}
