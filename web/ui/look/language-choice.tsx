/** The language switcher of pages that have no menus of the component library; it looks like theirs. */
import { useRef } from 'react'
import { languageCodes, languageNames, languages } from '@kelisim/texts/languages.ts'
import { changeLanguage, currentLanguage } from '../../i18n/language.ts'
import classes from './language-choice.module.css'

export function LanguageChoice({ label }: { label: string }) {
  const details = useRef<HTMLDetailsElement>(null)
  const current = currentLanguage()
  const close = () => details.current?.removeAttribute('open')
  return (
    <details ref={details} className={classes.choice}>
      <summary>
        <span className="only-heard">{label}: </span>
        {languageCodes[current]}
      </summary>
      <div role="group" aria-label={label}>
        {languages.map((language) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={language === current}
            onClick={() => {
              close()
              void changeLanguage(language)
            }}
          >
            {languageNames[language]}
          </button>
        ))}
      </div>
    </details>
  )
}
