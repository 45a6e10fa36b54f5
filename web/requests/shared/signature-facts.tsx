/** The certificate of a signature and the result of its check. */
import { unbroken } from '@kelisim/domain/numbers.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate, formatMoment } from '../../ui/format/dates.ts'
import { Facts } from '../../ui/page/facts.tsx'
import type { SignatureOf } from './request-view.ts'
import classes from './stepper.module.css'

type Known = Pick<
  SignatureOf,
  'certificate' | 'verdict' | 'state' | 'nextTryAt' | 'receivedAt' | 'checkedAt' | 'power'
>

export function SignatureFacts({ signature }: { signature: Known }) {
  const facts = useFacts(signature)
  return (
    <div className={classes.details}>
      <Facts rows={facts} layout="stacked" />
    </div>
  )
}

function useFacts(signature: Known): [string, string][] {
  const { t, find } = useTexts('requests')
  const { certificate: own, verdict, state, nextTryAt, receivedAt, checkedAt, power } = signature
  const code = verdict?.code ?? null
  const why = code === null ? '' : ` ${find(`signatures:codes.${code}`) ?? ''} (${code})`
  const again = nextTryAt === null ? '' : ` ${t('signature.nextTry', { time: formatMoment(nextTryAt) })}.`
  const result = state === 'accepted' ? t('signature.accepted') : `${t(`signature.${state}`)}.${why}${again}`
  const number = (value: string | null) => value && unbroken(value)
  const facts: [string, string | null | undefined][] = [
    [t('signature.result'), result],
    [t('signature.owner'), own?.fullName],
    [t('signature.iin'), own && number(own.iin)],
    [t('signature.bin'), own && number(own.bin)],
    [t('signature.organization'), own?.organization],
    [
      t('signature.power'),
      power &&
        t('signature.powerRange', {
          number: power.number,
          from: formatDate(power.validFrom),
          to: formatDate(power.validUntil),
        }),
    ],
    [t('signature.algorithm'), own?.algorithm],
    [t('signature.serial'), own?.serialNumber],
    [t('signature.issuer'), own?.issuer],
    [
      t('signature.valid'),
      own && t('signature.validRange', { from: formatDate(own.validFrom), to: formatDate(own.validTo) }),
    ],
    [t('signature.revocation'), own && t(`signature.${own.revocation ?? 'unknown'}`)],
    [
      t('signature.timestamp'),
      own &&
        (own.timestampTime === null
          ? t('signature.none')
          : t('signature.stamped', { time: formatMoment(own.timestampTime) })),
    ],
    [t('signature.received'), formatMoment(receivedAt)],
    [t('signature.checkedAt'), checkedAt && formatMoment(checkedAt)],
  ]
  return facts.filter((fact): fact is [string, string] => !!fact[1])
}
