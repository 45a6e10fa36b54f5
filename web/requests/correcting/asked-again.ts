/** What a correction does to a request: those who have answered are asked again, each in their turn. */
import type { RequestView } from '../shared/request-view.ts'

/** Who has answered about the document that is replaced: by name, or as the organisation of a point. */
export function askedAgain({ points }: Pick<RequestView, 'points'>): string[] {
  const names = points.flatMap(({ acts, organizationName }) =>
    acts.map(({ fullName }) => fullName || organizationName),
  )
  return [...new Set(names)]
}
