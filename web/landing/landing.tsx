/** The public page: ready HTML, no script of the application. */
import { languages, type Language } from '@kelisim/texts/languages.ts'
import { Mark } from '../ui/pictures.tsx'
import type texts from '@kelisim/texts/ru/landing.json'

export type LandingTexts = typeof texts

const signInAddress = '/api-user/autologin'
const languageNames: Record<Language, string> = { ru: 'Русский', kk: 'Қазақша', en: 'English' }
const languageCodes: Record<Language, string> = { ru: 'РУС', kk: 'ҚАЗ', en: 'ENG' }

export function Landing({ texts: t, language }: { texts: LandingTexts; language: Language }) {
  return (
    <>
      <Header t={t} language={language} />
      <main>
        {/* The server takes away what is not the case: a demo, a sign-in that failed. */}
        <p className="demo" data-only="demo">
          {t.demo}
        </p>
        <p className="failed" role="alert" data-only="sign-in-failed">
          {t.signInFailed}
        </p>
        <section className="hero">
          <div>
            <h1>{t.hero.title}</h1>
            <p className="lead">{t.hero.text}</p>
            <a className="primary" href={signInAddress}>
              {t.hero.start}
            </a>
            <ul className="ticks">
              {Object.values(t.hero.points).map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </div>
          <SignedSheet />
        </section>
        <section className="stats" aria-label={t.stats.label}>
          {[t.stats.companies, t.stats.minutes, t.stats.languages, t.stats.free].map(({ value, text }) => (
            <p key={value}>
              <b>{value}</b>
              {text}
            </p>
          ))}
        </section>
        <section className="legal" id="legal">
          <h2>{t.legal.title}</h2>
          <p>{t.legal.text}</p>
        </section>
        <section className="start" id="start">
          <h2>{t.start.title}</h2>
          <ol>
            <li>{t.start.register}</li>
            <li>{t.start.organization}</li>
            <li>{t.start.groups}</li>
          </ol>
          <a className="primary" href={signInAddress}>
            {t.hero.start}
          </a>
        </section>
      </main>
      <footer id="contacts">
        <p>{t.footer.about}</p>
        <p>
          <b>{t.footer.contacts}</b> <a href="mailto:support@kelisim.kz">support@kelisim.kz</a>
        </p>
        <p>
          <a href="/verify">{t.nav.check}</a>
        </p>
      </footer>
    </>
  )
}

function Header({ t, language }: { t: LandingTexts; language: Language }) {
  return (
    <header>
      <a className="mark" href={`/${language}`}>
        <Mark />
        Келісім
      </a>
      <details className="menu">
        <summary>{t.nav.menu}</summary>
        <Navigation t={t} language={language} />
      </details>
      <div className="wide">
        <Navigation t={t} language={language} />
      </div>
    </header>
  )
}

/** Stands twice, once for wide windows and once in the menu of narrow ones; the other is not displayed. */
function Navigation({ t, language }: { t: LandingTexts; language: Language }) {
  return (
    <nav aria-label={t.nav.label}>
      <a href="#legal">{t.nav.legal}</a>
      <a href="#start">{t.nav.start}</a>
      <a href="/verify">{t.nav.check}</a>
      <a href="#contacts">{t.nav.contacts}</a>
      <details className="choice">
        <summary>{t.nav.systems}</summary>
        <a href="/signingRequests/incomings">{t.systems.documents}</a>
        <a href="/portal">{t.systems.portal}</a>
      </details>
      <details className="choice">
        <summary aria-label={t.nav.language}>{languageCodes[language]}</summary>
        {languages.map((other) => (
          <a
            key={other}
            href={`/${other}`}
            lang={other}
            {...(other === language && { 'aria-current': 'true' as const })}
          >
            {languageNames[other]}
          </a>
        ))}
      </details>
      <a className="enter" href={signInAddress}>
        {t.signIn}
      </a>
    </nav>
  )
}

/** A contract with two signatures and the seal that they close. */
function SignedSheet() {
  return (
    <svg className="sheet" viewBox="0 0 360 320" fill="none" strokeLinecap="round" aria-hidden="true">
      <rect
        x="54"
        y="20"
        width="232"
        height="280"
        rx="14"
        fill="var(--paper)"
        stroke="var(--line)"
        strokeWidth="2"
      />
      <path
        d="M86 64h120M86 92h168M86 114h168M86 136h140M86 172h168M86 194h110"
        stroke="var(--line)"
        strokeWidth="8"
      />
      <path
        d="M90 252c10-22 20-30 24-22s-10 24 0 24 16-26 26-26 4 18 8 22c3 3 10 2 18-6"
        stroke="var(--prim)"
        strokeWidth="4"
      />
      <path
        d="M196 254c8-18 16-24 20-18s-8 20 0 20 13-21 21-21 3 14 6 18"
        stroke="var(--prim)"
        strokeWidth="4"
      />
      <circle
        cx="286"
        cy="84"
        r="46"
        fill="var(--gold-soft)"
        stroke="var(--gold)"
        strokeWidth="4"
        strokeDasharray="240 50"
      />
      <path d="m266 84 14 15 27-29" stroke="var(--gold)" strokeWidth="6" strokeLinejoin="round" />
    </svg>
  )
}
