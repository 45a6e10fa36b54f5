/**
 * Sending a document without an account: fill in, sign, done. Loaded when somebody starts, on the landing or on its
 * own page.
 */
import { StrictMode, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { FormStep } from './form-step.tsx'
import type { Begun, SentResult } from './calls.ts'
import classes from './quick.module.css'
import { SentStep } from './sent-step.tsx'
import { SignStep } from './sign-step.tsx'

let shown: { root: Root; place: HTMLElement } | null = null

/** May be called again with a file while the form is open: typed values stay. */
export async function mountQuickSend(place: HTMLElement, file: File | null): Promise<void> {
  await startTexts(['landing-quick-send', 'errors', 'signatures'], document.documentElement.lang)
  if (shown?.place !== place) {
    const element = document.createElement('div')
    place.replaceChildren(element)
    shown = { root: createRoot(element), place }
  }
  shown.root.render(
    <StrictMode>
      <QuickSend given={file} />
    </StrictMode>,
  )
}

const steps = ['form', 'sign', 'sent'] as const

export function QuickSend({ given = null }: { given?: File | null }) {
  const { t } = useTexts('landing-quick-send')
  const [begun, setBegun] = useState<Begun | null>(null)
  const [sent, setSent] = useState<SentResult | null>(null)
  const [round, setRound] = useState(0)
  const [taken, setTaken] = useState(given)
  const step = sent ? 'sent' : begun ? 'sign' : 'form'

  // A new file that arrives while another one is being signed leads back to the form.
  if (given !== taken) {
    setTaken(given)
    setBegun(null)
    setSent(null)
  }

  function again(): void {
    setSent(null)
    setBegun(null)
    setRound(round + 1)
  }
  return (
    <div className={classes.quick}>
      <ol className={classes.steps} aria-label={t('steps.label')}>
        {steps.map((one) => (
          <li key={one} {...(one === step && { 'aria-current': 'step' as const })}>
            {t(`steps.${one}`)}
          </li>
        ))}
      </ol>
      {/* Stays mounted while the person signs, so that going back shows what they typed. */}
      <div hidden={step !== 'form'}>
        <FormStep
          key={round}
          given={round === 0 ? taken : null}
          isShown={step === 'form'}
          onBegun={setBegun}
        />
      </div>
      {begun && !sent && <SignStep begun={begun} onBack={() => setBegun(null)} onSent={setSent} />}
      {sent && <SentStep sent={sent} onAgain={again} />}
    </div>
  )
}
