/** The link for the recipient, to be copied and passed on. */
import { useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './quick.module.css'

export function CopyLink({ url }: { url: string }) {
  const { t } = useTexts('landing-quick-send')
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(url)
    setCopied(true)
  }
  return (
    <>
      <button type="button" className={classes.secondary} onClick={() => void copy()}>
        {t('sent.copy')}
      </button>
      <span className={classes.said} role="status">
        {isCopied && t('sent.copied')}
      </span>
    </>
  )
}
