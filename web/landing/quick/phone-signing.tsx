/** Signing with the phone: the QR code and the state of the signature. */
import { useEffect, useState } from 'react'
import { askPhoneForTransaction, getTransaction } from '@kelisim/domain/landing/quick-send-contract.ts'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import type * as z from 'zod/mini'
import { call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { errorText, words, type SentResult } from './calls.ts'
import classes from './quick.module.css'

type Code = z.output<typeof askPhoneForTransaction.result>
type State = z.output<typeof getTransaction.result>

const askEvery = 2000
const openToAll = { isOpenToAll: true }

type Props = { transactionId: string; onSent: (sent: SentResult) => void }

export function PhoneSigning(props: Props) {
  const [round, setRound] = useState(0)
  return <OneCode key={round} {...props} onRenew={() => setRound(round + 1)} />
}

function OneCode({ transactionId, onSent, onRenew }: Props & { onRenew: () => void }) {
  const { t } = useTexts('landing-quick-send')
  const [code, setCode] = useState<Code | null>(null)
  const [state, setState] = useState<State | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const deviceType = deviceOf(navigator.userAgent)
  const isOver = ['canceled', 'fail', 'expired'].includes(state?.phone ?? '')

  useEffect(() => {
    let isGone = false
    call(askPhoneForTransaction, { transactionId, deviceType }, undefined, openToAll).then(
      (answer) => !isGone && setCode(answer),
      (error: unknown) => !isGone && setFailure(errorText(error)),
    )
    return () => {
      isGone = true
    }
  }, [transactionId, deviceType])

  useEffect(() => {
    if (!code || isOver) return
    const asking = setInterval(() => {
      // A failed poll is ignored: the next one follows.
      call(getTransaction, { transactionId }, undefined, openToAll).then(
        (answer) => {
          setState(answer)
          if (answer.sent) onSent(answer.sent)
        },
        () => {},
      )
    }, askEvery)
    return () => clearInterval(asking)
  }, [code, isOver, transactionId, onSent])

  if (!code)
    return (
      <p className={classes.problem} role="alert">
        {failure}
      </p>
    )
  const { refusal } = state ?? { refusal: null }
  return (
    <div className={classes.phone}>
      {!isOver && deviceType === 'Desktop' && (
        <svg viewBox={`0 0 ${code.qr.size} ${code.qr.size}`} role="img" aria-label={t('sign.scan')}>
          <path d={code.qr.path} />
        </svg>
      )}
      <div>
        {!isOver && <p>{t('sign.phoneHint')}</p>}
        <p role="status">
          <b>{t(`phone.${state?.phone ?? 'new'}`)}</b>
          {refusal && <span className={classes.problem}>{words(refusal.alias, refusal.parameters)}</span>}
        </p>
        {isOver ? (
          <button type="button" className={classes.secondary} onClick={onRenew}>
            {t('sign.newCode')}
          </button>
        ) : (
          <Ways code={code} isOnPhone={deviceType !== 'Desktop'} />
        )}
      </div>
    </div>
  )
}

function Ways({ code: { links, standInUrl }, isOnPhone }: { code: Code; isOnPhone: boolean }) {
  const { t } = useTexts('landing-quick-send')
  return (
    <p className={classes.ways}>
      {isOnPhone && (
        <>
          <a className={classes.secondary} href={links.eGovMobile}>
            {t('sign.openEgov')}
          </a>
          <a className={classes.secondary} href={links.eGovBusiness}>
            {t('sign.openBusiness')}
          </a>
        </>
      )}
      {standInUrl && (
        <a className={classes.secondary} href={standInUrl} target="_blank" rel="noreferrer">
          {t('sign.standIn')}
        </a>
      )}
    </p>
  )
}
