import { useQuery } from '@tanstack/react-query'
import { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { demandOf } from '@kelisim/domain/requests/signer.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kindOfPoint, type PointView } from './request-view.ts'

export function NeededKey({ point }: { point: PointView }) {
  const { t } = useTexts('requests')
  const { data: me } = useQuery(query(getRecipient, {}))
  if (!me) return null
  const demand = demandOf({ type: kindOfPoint(point), bin: point.bin }, me)
  if (demand.of === 'number') return <p>{t('about.needNumber', { number: unbroken(demand.number) })}</p>
  return (
    <p>
      {demand.iin === null ? t('about.needOwnUnknown') : t('about.needOwn', { number: unbroken(demand.iin) })}
    </p>
  )
}

export function unbroken(number: string): string {
  return inGroups(number).replaceAll(' ', '\u00a0')
}
