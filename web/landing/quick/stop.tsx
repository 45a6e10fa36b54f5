/** Stops e-mails about documents from strangers: by a person here, or by a mail program automatically. */
import { useState } from 'react'
import { stopEmails } from '@kelisim/domain/landing/quick-send-contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { errorText } from './calls.ts'
import classes from './quick.module.css'

export function Stop({ token }: { token: string }) {
  const { t } = useTexts('landing-quick-send')
  const [isOff, setOff] = useState<boolean | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function choose(next: boolean): Promise<void> {
    try {
      setOff((await call(stopEmails, { token, isOff: next }, undefined, { isOpenToAll: true })).isOff)
      setFailure(null)
    } catch (error) {
      const isWrong = error instanceof ApiError && error.status === 404
      setFailure(isWrong ? t('stop.wrong') : errorText(error))
    }
  }
  return (
    <div className={classes.follow}>
      <h1>{t('stop.title')}</h1>
      <p>{t('stop.text')}</p>
      <p role="status">{isOff === null ? '' : t(isOff ? 'stop.done' : 'stop.undone')}</p>
      <p className={classes.problem} role="alert">
        {failure}
      </p>
      <div className={classes.ways}>
        <button
          type="button"
          className={isOff ? classes.secondary : classes.primary}
          onClick={() => void choose(isOff !== true)}
        >
          {t(isOff ? 'stop.undo' : 'stop.button')}
        </button>
      </div>
    </div>
  )
}
