/** Called by the build: the landing as finished HTML, one page a language. */
import { renderToStaticMarkup } from 'react-dom/server'
import en from '@kelisim/texts/en/landing.json'
import kk from '@kelisim/texts/kk/landing.json'
import { languages, type Language } from '@kelisim/texts/languages.ts'
import ru from '@kelisim/texts/ru/landing.json'
import { Landing, type LandingTexts } from './landing.tsx'

const texts: Record<Language, LandingTexts> = { ru, kk, en }

export function renderLanding(template: string): Record<Language, string> {
  return Object.fromEntries(
    languages.map((language) => [
      language,
      template
        .replace('__LANGUAGE__', language)
        .replace('<!--head-->', () => renderToStaticMarkup(<Head texts={texts[language]} />))
        .replace('<!--page-->', () =>
          renderToStaticMarkup(<Landing texts={texts[language]} language={language} />),
        ),
    ]),
  ) as Record<Language, string>
}

function Head({ texts: { meta } }: { texts: LandingTexts }) {
  return (
    <>
      <title>{meta.title}</title>
      <meta name="description" content={meta.description} />
      {languages.map((language) => (
        <link key={language} rel="alternate" hrefLang={language} href={`/${language}`} />
      ))}
    </>
  )
}
