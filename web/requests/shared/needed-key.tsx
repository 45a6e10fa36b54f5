import { Button, CopyButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { givenKeys, keyHolders } from '@kelisim/domain/points/key-holder.ts'
import { demandOf } from '@kelisim/domain/requests/signer.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kindOfPoint, type PointView } from './request-view.ts'

export function NeededKey({ point }: { point: PointView }) {
  const { t } = useTexts('requests')
  const { data: me } = useQuery(query(getRecipient, {}))
  if (!me) return null
  const demand = demandOf({ ...point, type: kindOfPoint(point) }, me)
  if (demand.of === 'number') {
    const { number, keyHolder } = demand
    const iin = unbroken(point.keyHolderIin ?? number)
    return (
      <>
        <p>{t(`about.needKey.${keyHolder}`, { number: unbroken(number), iin })}</p>
        {point.hasPower && <p>{t('about.hasPower')}</p>}
      </>
    )
  }
  return (
    <p>
      {demand.iin === null ? t('about.needOwnUnknown') : t('about.needOwn', { number: unbroken(demand.iin) })}
    </p>
  )
}

/** Says whose key was needed and whose was used, if the signature was refused for that reason. */
export function useKeyFacts(parameters: Record<string, unknown> | undefined): string {
  const { t } = useTexts('requests')
  const needed = keyHolders.find((one) => one === parameters?.['needed'])
  const given = givenKeys.find((one) => one === parameters?.['given'])
  if (!needed || !given) return ''
  return t('about.keyFacts', { needed: t(`common:keys.${needed}`), given: t(`common:givenKeys.${given}`) })
}

/** Says what people can do whose key the point does not take. */
export function ReadOnlyKey({ point }: { point: PointView }) {
  const { t } = useTexts('requests')
  const { keyHolder, keyHolderIin } = point
  return (
    <>
      <p>
        {keyHolderIin === null
          ? t('about.readOnly', { needed: t(`common:keys.${keyHolder}`) })
          : t('about.readOnlyPerson', { iin: unbroken(keyHolderIin) })}
      </p>
      <CopyButton value={location.href}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? t('about.linkCopied') : t('about.copyLink')}
          </Button>
        )}
      </CopyButton>
    </>
  )
}
