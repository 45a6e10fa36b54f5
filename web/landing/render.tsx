/** Called by the build: the landing as finished HTML, one page a language. */
import { renderToStaticMarkup } from 'react-dom/server'
import en from '@kelisim/texts/en/landing.json'
import kk from '@kelisim/texts/kk/landing.json'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import ru from '@kelisim/texts/ru/landing.json'
import { translate } from '@kelisim/texts/translate.ts'
import { Head } from './head.tsx'
import { Landing } from './landing.tsx'
import type { LandingTexts, Told } from './told.ts'

const texts: Record<Language, LandingTexts> = { ru, kk: kk as LandingTexts, en: en as LandingTexts }

/** `assets`: the names of the files that the site is made of. */
export function renderLanding(template: string, assets: readonly string[]): Record<Language, string> {
  return Object.fromEntries(
    languages.map((language) => {
      const t = texts[language]
      const told: Told = {
        t,
        language,
        say: (key, values) => translate({ landing: t }, language, `landing:${key}`, values) ?? key,
      }
      const page = template
        .replace('__LANGUAGE__', language)
        .replace('<!--head-->', () =>
          renderToStaticMarkup(<Head {...told} fonts={fontsFor(language, assets)} />),
        )
        .replace('<!--page-->', () => renderToStaticMarkup(<Landing {...told} />))
      return [language, page]
    }),
  ) as Record<Language, string>
}

/** Which letters the first sight of the page needs. */
const letters: Record<Language, readonly string[]> = {
  ru: ['latin', 'cyrillic'],
  kk: ['latin', 'cyrillic', 'cyrillic-ext'],
  en: ['latin'],
}

function fontsFor(language: Language, assets: readonly string[]): string[] {
  return letters[language]
    .flatMap((subset) => [400, 600].map((weight) => `golos-text-${subset}-${weight}-normal`))
    .flatMap((name) => assets.filter((asset) => asset.startsWith(`${name}-`) && asset.endsWith('.woff2')))
}
