/**
 * The page that a stranger opens by the link in an e-mail to stop further e-mails of its sender or of everybody.
 * Opening the page changes nothing.
 */
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { getStopped, stopEmails } from '@kelisim/domain/mail/stop-contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { errorText } from './calls.ts'
import classes from './quick.module.css'

type Stopped = z.output<typeof getStopped.result>
const asAnybody = { isOpenToAll: true } as const

export function Stop({ token }: { token: string }) {
  const { t } = useTexts('landing-quick-send')
  const [stopped, setStopped] = useState<Stopped | null>(null)
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    void call(getStopped, { token }, undefined, asAnybody).then(setStopped, setFailure)
  }, [token])

  async function choose(of: 'sender' | 'all', isOff: boolean): Promise<void> {
    try {
      setStopped(await call(stopEmails, { token, of, isOff }, undefined, asAnybody))
      setFailure(null)
    } catch (error) {
      setFailure(error)
    }
  }
  const isWrong = failure instanceof ApiError && failure.status === 404
  return (
    <div className={classes.follow}>
      <h1>{t('stop.title')}</h1>
      <p>{t('stop.text')}</p>
      <p className={classes.problem} role="alert">
        {failure !== null && (isWrong ? t('stop.wrong') : errorText(failure))}
      </p>
      {stopped?.sender && (
        <Choice
          title={
            stopped.sender.name === null
              ? t('stop.unknownSender')
              : t('stop.sender', { organization: stopped.sender.name })
          }
          isOff={stopped.sender.isOff}
          isCovered={stopped.isAllOff}
          onChoose={(isOff) => void choose('sender', isOff)}
        />
      )}
      {stopped && (
        <Choice
          title={t('stop.all')}
          isOff={stopped.isAllOff}
          onChoose={(isOff) => void choose('all', isOff)}
        />
      )}
      <p>{t('stop.account')}</p>
    </div>
  )
}

function Choice(props: {
  title: string
  isOff: boolean
  /** Another choice already stops these e-mails. */
  isCovered?: boolean
  onChoose: (isOff: boolean) => void
}) {
  const { t } = useTexts('landing-quick-send')
  const { title, isOff, isCovered = false, onChoose } = props
  const state = isCovered ? 'stop.coveredByAll' : isOff ? 'stop.off' : 'stop.on'
  return (
    <section className={classes.choice} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p role="status">{t(state)}</p>
      </div>
      <button
        type="button"
        className={isOff ? classes.secondary : classes.primary}
        onClick={() => onChoose(!isOff)}
      >
        {t(isOff ? 'stop.undo' : 'stop.button')}
      </button>
    </section>
  )
}
