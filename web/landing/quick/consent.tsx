/** The rules and the processing of personal data, which the sender must agree to. */
import { useId } from 'react'
import { currentLanguage } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import classes from './quick.module.css'

export function Consent({
  hasAgreed,
  problem,
  onChange,
}: {
  hasAgreed: boolean
  problem: string | undefined
  onChange: (hasAgreed: boolean) => void
}) {
  const { t } = useTexts('landing-quick-send')
  const id = useId()
  return (
    <div className={classes.consent}>
      <input
        type="checkbox"
        id={id}
        name="consent"
        checked={hasAgreed}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />
      <label htmlFor={id}>
        {t('consent.before')} <FileLink name="terms-of-use">{t('consent.rules')}</FileLink> {t('consent.and')}{' '}
        <FileLink name="personal-data-agreement">{t('consent.personal')}</FileLink>
      </label>
      <p id={`${id}-problem`} className={classes.problem}>
        {problem}
      </p>
    </div>
  )
}

function FileLink({ name, children }: { name: string; children: string }) {
  return (
    <a href={`/files/${name}.${currentLanguage()}.pdf`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
