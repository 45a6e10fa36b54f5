/** The effect of a correction: everybody who has answered is asked again, each in their turn. */
import type { RequestView } from '../shared/request-view.ts'

/** Everybody who has answered about the replaced document: by name, or by the organisation of the point. */
export function askedAgain({ points }: Pick<RequestView, 'points'>): string[] {
  const names = points.flatMap(({ acts, organizationName }) =>
    acts.map(({ fullName }) => fullName || organizationName),
  )
  return [...new Set(names)]
}
