/** Called by the build: renders the landing page as HTML, once for each language. */
import { renderToStaticMarkup } from 'react-dom/server'
import en from '@kelisim/texts/en/landing.json'
import kk from '@kelisim/texts/kk/landing.json'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import ru from '@kelisim/texts/ru/landing.json'
import { translate } from '@kelisim/texts/translate.ts'
import { Head } from './head.tsx'
import { Landing } from './landing.tsx'
import type { LandingTexts, LandingProps } from './shared/landing-props.ts'

const texts: Record<Language, LandingTexts> = { ru, kk: kk as LandingTexts, en: en as LandingTexts }

export function renderLanding(template: string): Record<Language, string> {
  return Object.fromEntries(
    languages.map((language) => {
      const t = texts[language]
      const told: LandingProps = {
        t,
        language,
        say: (key, values) => translate({ landing: t }, language, `landing:${key}`, values) ?? key,
      }
      const page = template
        .replace('__LANGUAGE__', language)
        .replace('<!--head-->', () => renderToStaticMarkup(<Head {...told} />))
        .replace('<!--page-->', () => renderToStaticMarkup(<Landing {...told} />))
      return [language, page]
    }),
  ) as Record<Language, string>
}
