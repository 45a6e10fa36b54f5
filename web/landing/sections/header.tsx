import { languageCodes, languageNames, languages } from '@kelisim/texts/languages.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { Mark } from '../../ui/look/pictures.tsx'
import { signInAddress, type LandingProps } from '../shared/landing-props.ts'

export function Header(told: LandingProps) {
  const { t, language } = told
  return (
    <header className="top">
      <div className="bounds">
        <a className="brand" href={`/${language}`}>
          <Mark />
          Келісім
        </a>
        <div className="wide">
          <Navigation {...told} />
        </div>
        <a className="enter narrow" href={signInAddress}>
          {t.signIn}
        </a>
        <details className="menu">
          <summary>
            <Bars />
            <span className="unseen">{t.nav.menu}</span>
          </summary>
          <Navigation {...told} />
        </details>
      </div>
    </header>
  )
}

/** Rendered twice: for wide screens, and in the menu of narrow ones; CSS hides one of them. */
function Navigation({ t, language }: LandingProps) {
  return (
    <nav aria-label={t.nav.label}>
      <div className="places">
        <a href="#features">{t.nav.features}</a>
        <a href="#price-list">{t.nav.tariffs}</a>
        <a href="#faq">{t.nav.faq}</a>
        <a href="#contacts">{t.nav.contacts}</a>
        <a href={pages.verify}>{t.nav.check}</a>
      </div>
      <details className="choice">
        <summary>{t.nav.systems}</summary>
        <div>
          <Systems t={t} />
        </div>
      </details>
      <details className="choice">
        <summary>
          <span className="unseen">{t.nav.language}: </span>
          {languageCodes[language]}
        </summary>
        <div>
          {languages.map((other) => (
            <a
              key={other}
              href={`/${other}?choose`}
              rel="nofollow"
              lang={other}
              hrefLang={other}
              {...(other === language && { 'aria-current': 'true' as const })}
            >
              {languageNames[other]}
            </a>
          ))}
        </div>
      </details>
      <a className="enter" href={signInAddress}>
        {t.signIn}
      </a>
    </nav>
  )
}

export function Systems({ t }: Pick<LandingProps, 't'>) {
  return (
    <>
      <a href={pages.incomingRequests}>{t.systems.documents}</a>
      <a href={pages.portal}>{t.systems.portal}</a>
      <a href={pages.verify}>{t.systems.check}</a>
    </>
  )
}

function Bars() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" stroke="currentcolor" strokeWidth="2" aria-hidden="true">
      <path d="M3 6h16M3 11h16M3 16h16" strokeLinecap="round" />
    </svg>
  )
}
