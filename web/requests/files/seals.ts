/** The seals of signatures on the document, and empty places for awaited signatures. */
import type { PageSeal } from '../../documents/preview/places/place.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { isOver, participantName, type RequestView, type SignatureOf } from '../shared/request-view.ts'

export function useSeals(request: RequestView): PageSeal[] {
  const { t } = useTexts('requests')
  return request.points.flatMap((point): PageSeal[] => {
    const { pointId, place, signatures } = point
    if (!place) return []
    const accepted = signatures.filter(({ state }) => state === 'accepted')
    const [first, ...others] = accepted.toSorted((one, other) => timeOf(one).localeCompare(timeOf(other)))
    if (first) {
      // The signer's name is that of the certificate, as in the printable document.
      const name = first.certificate?.fullName ?? first.by.fullName
      const organization = first.certificate?.organization ?? ''
      const lines = [
        others.length === 0 ? t('seals.signed') : t('seals.several', { all: others.length + 1 }),
        name,
        [formatDate(timeOf(first)), organization].filter((part) => part !== '').join(' · '),
      ]
      return [{ id: pointId, ...place, lines, isSigned: true }]
    }
    if (isOver(request)) return []
    return [{ id: pointId, ...place, lines: [t('seals.awaited'), participantName(point)], isSigned: false }]
  })
}

function timeOf({ certificate, receivedAt }: SignatureOf): string {
  return certificate?.timestampTime ?? receivedAt
}
