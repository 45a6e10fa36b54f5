/** The language switcher of pages that have no menus of the component library; it looks like theirs. */
import { useRef } from 'react'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { changeLanguage, currentLanguage } from '../../i18n/language.ts'
import classes from './language-choice.module.css'

const codes: Record<Language, string> = { ru: 'РУС', kk: 'ҚАЗ', en: 'ENG' }
const names: Record<Language, string> = { ru: 'Русский', kk: 'Қазақша', en: 'English' }

export function LanguageChoice({ label }: { label: string }) {
  const details = useRef<HTMLDetailsElement>(null)
  const current = currentLanguage()
  const close = () => details.current?.removeAttribute('open')
  return (
    <details ref={details} className={classes.choice}>
      <summary>
        <span className="only-heard">{label}: </span>
        {codes[current]}
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
            {names[language]}
          </button>
        ))}
      </div>
    </details>
  )
}
