/** The request that a code opened: the document, its signers, and how the service judged them at acceptance. */
import { useEffect, useRef, useState } from 'react'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { requestPageWithCode } from '@kelisim/domain/pages.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { saveHeldDocument, type HeldRequestView, type OpenedRequest } from '../requests/link/open-by-code.ts'
import { formatDate } from '../ui/format/dates.ts'
import { Facts } from '../ui/page/facts.tsx'
import { OutcomeBand, OutcomeMark } from './outcome.tsx'
import { outcomeOf, worstOutcome, type CheckOutcome } from './checking/report.ts'
import classes from './verify.module.css'
import { sentenceOf, sizeText, timeText, type Row, type T } from './wording.ts'

export function HeldView({ opened }: { opened: OpenedRequest }) {
  const { t } = useTexts('verify')
  const place = useRef<HTMLElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => place.current?.querySelector('h2')?.focus(), [])
  const { request, code } = opened
  const { document, organization, signatures, validUntil } = request
  const outcome = worstOutcome(signatures.map(outcomeOfHeld))
  const until = validUntil === null ? t('code.forever') : t('code.until', { date: formatDate(validUntil) })
  const rows: Row[] = [
    [t('result.document'), document.fileName],
    [t('result.size'), sizeText(document.size, t)],
    [t('result.sha256'), document.sha256],
    [t('code.from'), fromOf(organization, t)],
    [t('code.date'), formatDate(request.signingDate)],
  ]
  async function save(): Promise<void> {
    setFailed(false)
    await saveHeldDocument(opened).catch(() => setFailed(true))
  }
  return (
    <section ref={place} className={classes.group}>
      <OutcomeBand
        outcome={outcome}
        sentence={signatures.length === 0 ? t('outcome.unsigned') : sentenceOf(outcome, signatures.length, t)}
        meaning={`${t('code.lead')} ${until}`}
      />
      <h3 className={classes.name}>{request.name}</h3>
      <Facts rows={rows} />
      <div className={classes.acts}>
        <button type="button" className={classes.button} onClick={() => void save()}>
          {t('code.save')}
        </button>
        <a className={classes.plain} href={requestPageWithCode(request.id, code)}>
          {t('code.page')}
        </a>
      </div>
      {hasFailed && (
        <p role="alert" className={classes.error}>
          {t('code.failed')}
        </p>
      )}
      <h3>{t('result.signatures')}</h3>
      {signatures.length === 0 && <p>{t('code.none')}</p>}
      <ul className={classes.signers}>
        {signatures.map((signature) => (
          <li key={signature.id} className={classes.signer}>
            <h4>
              <OutcomeMark outcome={outcomeOfHeld(signature)} />
              {signature.certificate?.fullName ?? t('signer.unknown')}
            </h4>
            <Facts rows={rowsOf(signature, t)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function fromOf({ shortName, bin, confirmedAt }: HeldRequestView['organization'], t: T): string {
  const proof = confirmedAt && t('code.confirmed', { date: formatDate(confirmedAt) })
  return [shortName, `${t('signer.bin')}\u00a0${unbroken(bin)}`, proof].filter(Boolean).join(', ')
}

type Signature = HeldRequestView['signatures'][number]

function outcomeOfHeld({ verdict }: Signature): CheckOutcome {
  if (!verdict) return 'later'
  const { verdict: indication, subIndication } = verdict
  return outcomeOf({ verdict: indication, subIndication: subIndication, code: null })
}

function rowsOf({ side, certificate, receivedAt }: Signature, t: T): Row[] {
  const received: Row = [t('code.received'), timeText(new Date(receivedAt))]
  if (!certificate) return [[t('signer.for'), side.name], received]
  const { iin, bin, organization, serialNumber, issuer, algorithm, timestampTime } = certificate
  const whom = [organization ?? side.name, bin && `${t('signer.bin')}\u00a0${unbroken(bin)}`].filter(Boolean)
  return [
    ...(iin ? [[t('signer.iin'), unbroken(iin)] as const] : []),
    [t('signer.for'), whom.join(', ')],
    ...(timestampTime
      ? [[t('signer.when'), t('signer.proved', { time: timeText(new Date(timestampTime)) })] as const]
      : []),
    received,
    [t('facts.serialNumber'), serialNumber],
    [t('facts.issuer'), issuer],
    [t('facts.algorithm'), algorithm],
  ]
}
