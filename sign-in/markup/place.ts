import { shownMoment } from '@kelisim/domain/calendar.ts'
import type { Challenge } from '../accounts/challenge-queries.ts'
import type { Texts } from '../http/visit.ts'

/** Where and when a sign-in began, as the phone and the page show it: the same line, so that they can be compared. */
export function placeText({ place, createdAt }: Challenge, t: Texts): string {
  const { browser, system, network } = place ?? { browser: null, system: null, network: null }
  const parts = [
    browser ?? t('signature.place.browser'),
    system ?? t('signature.place.system'),
    ...(network === null ? [] : [t('signature.place.network', { network })]),
    shownMoment(createdAt),
  ]
  return parts.join(', ')
}
