/** After sending: the link to follow the document, and what the recipient received. */
import { useEffect, useRef } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import type { SentResult } from './calls.ts'
import { CopyLink } from './copy-link.tsx'
import classes from './quick.module.css'

export function SentStep({ sent, onAgain }: { sent: SentResult; onAgain: () => void }) {
  const { t } = useTexts('landing-quick-send')
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className={classes.step}>
      <h2 ref={title} tabIndex={-1}>
        {t('sent.title')}
      </h2>
      <p>{t(sent.isMailed ? 'sent.mailed' : 'sent.notMailed', { email: sent.recipientEmail })}</p>
      <p>{t('sent.keep')}</p>
      <a className={classes.primary} href={sent.followUrl}>
        {t('sent.follow')}
      </a>
      <CopyLink url={sent.recipientUrl} />
      <button type="button" className={classes.link} onClick={onAgain}>
        {t('sent.again')}
      </button>
    </div>
  )
}
