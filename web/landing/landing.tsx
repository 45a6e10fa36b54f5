/** The landing page: static HTML that works without scripts; the scripts are in client/. */
import { Advantages, Consumers, Legal, Stats } from './sections/claims.tsx'
import { Feedback } from './sections/feedback.tsx'
import { Footer } from './sections/footer.tsx'
import { Header } from './sections/header.tsx'
import { Hero } from './sections/hero.tsx'
import { StartWork } from './sections/start-work.tsx'
import { Faq, Features, QuickSend, Videos } from './sections/work.tsx'
import { Tariffs } from './sections/tariffs.tsx'
import type { LandingProps } from './shared/landing-props.ts'

export function Landing(told: LandingProps) {
  const { t } = told
  return (
    <>
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <Header {...told} />
      <main id="content">
        {/* The server removes the banners that do not apply: the demo, a failed sign-in. */}
        <p className="ribbon" data-only="demo">
          {t.demo}
        </p>
        <p className="notice failed" role="alert" data-only="sign-in-failed">
          {t.signInFailed}
        </p>
        <Hero {...told} />
        <Stats {...told} />
        <Advantages {...told} />
        <Consumers {...told} />
        <Legal {...told} />
        <QuickSend {...told} />
        <StartWork {...told} />
        <Videos {...told} />
        <Faq {...told} />
        <Features {...told} />
        <Tariffs {...told} />
        <Feedback {...told} />
      </main>
      <Footer {...told} />
    </>
  )
}
