/** Document, sender, recipient, consent and the captcha. What was typed stays if the server refuses it. */
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { landingFormats } from '@kelisim/domain/documents/formats.ts'
import { hasRightCheckDigit, isTwelveDigits, typedNumber } from '@kelisim/domain/numbers.ts'
import { isPhone, looksLikeEmail } from '@kelisim/domain/landing/feedback.ts'
import { ApiError } from '../../api/api.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { useTexts, type KeyOf } from '../../i18n/use-texts.ts'
import { mountCaptcha, type CaptchaWidget } from '../captcha/captcha-widget.ts'
import { begin, newSendPermission, errorText, whyNotFile, type Begun, type Fields } from './calls.ts'
import { Field } from './field.tsx'
import { FilePlace } from './file-place.tsx'
import classes from './quick.module.css'
import { useContractor } from './use-contractor.ts'

const names = ['senderEmail', 'senderPhone', 'recipientBin', 'recipientEmail'] as const
type Name = (typeof names)[number]
type Problem = Name | 'file' | 'consent' | 'captcha'
type Problems = Partial<Record<Problem, string>>
type ErrorKey = KeyOf<'landing-quick-send'> & `errors.${string}`

const rules: Record<Name, (text: string) => ErrorKey | null> = {
  senderEmail: emailProblem,
  senderPhone: (text) => (isPhone(text) ? null : 'errors.phone-incorrect'),
  recipientBin: numberProblem,
  recipientEmail: emailProblem,
}

function emailProblem(text: string): ErrorKey | null {
  return looksLikeEmail(text) ? null : 'errors.email-incorrect'
}

function numberProblem(text: string): ErrorKey | null {
  if (!isTwelveDigits(text)) return 'errors.twelve-digits'
  return hasRightCheckDigit(text) ? null : 'errors.check-digit'
}

export function FormStep({
  given,
  isShown,
  onBegun,
}: {
  /** Was dropped elsewhere on the page. */
  given: File | null
  isShown: boolean
  onBegun: (begun: Begun) => void
}) {
  const { t } = useTexts('landing-quick-send')
  const [values, setValues] = useState<Record<Name, string>>({
    senderEmail: '',
    senderPhone: '',
    recipientBin: '',
    recipientEmail: '',
  })
  const [file, setFile] = useState<File | null>(null)
  const [hasAgreed, setAgreed] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [part, setPart] = useState<number | null>(null)
  const leave = useRef(newSendPermission())
  const form = useRef<HTMLFormElement>(null)
  const captchaPlace = useRef<HTMLDivElement>(null)
  const captcha = useRef<CaptchaWidget | null>(null)
  const consentId = useId()
  const contractor = useContractor(values.recipientBin)

  useEffect(() => {
    let isGone = false
    void mountCaptcha(captchaPlace.current!, currentLanguage()).then((widget) => {
      if (isGone) widget.remove()
      else captcha.current = widget
    })
    return () => {
      isGone = true
      captcha.current?.remove()
      captcha.current = null
    }
  }, [])

  // A token is valid for one document: going back to change something needs a new one.
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (isShown && !wasShown.current) startAnew()
    wasShown.current = isShown
  }, [isShown])

  function startAnew(): void {
    leave.current = newSendPermission()
    captcha.current?.renew()
  }

  const taken = useRef<File | null>(null)
  useEffect(() => {
    if (given === null || given === taken.current) return
    taken.current = given
    choose(given)
  })

  function choose(chosen: File): void {
    const problem = whyNotFile(chosen)
    setFile(problem ? null : chosen)
    say('file', problem ?? undefined)
    if (leave.current.token !== null && file) startAnew()
  }

  const problemOf = (name: Name, text: string): string | undefined => {
    if (text.trim() === '') return t('errors.required')
    const problem = rules[name](text)
    return problem ? t(problem) : undefined
  }
  const say = (name: Problem, problem: string | undefined) =>
    setProblems(({ [name]: _, ...others }) => (problem ? { ...others, [name]: problem } : others))

  function change(name: Name, text: string): void {
    setValues({ ...values, [name]: text })
    if (problems[name]) say(name, problemOf(name, text))
  }

  function show(found: Problems): void {
    setProblems(found)
    const [first] = ['file', ...names, 'consent'].filter((name) => name in found)
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    else if ('captcha' in found) captcha.current?.focus()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (part !== null) return
    setFailure(null)
    const found: Problems = {
      ...(file ? {} : { file: t('errors.file') }),
      ...Object.fromEntries(
        names.flatMap((name) => {
          const problem = problemOf(name, values[name])
          return problem ? [[name, problem]] : []
        }),
      ),
      ...(hasAgreed ? {} : { consent: t('errors.consent') }),
    }
    if (Object.keys(found).length > 0 || !file) return show(found)
    setPart(0)
    try {
      const answer = leave.current.token === null ? await captcha.current!.answer() : null
      if (leave.current.token === null && !answer) return show({ captcha: t('errors.captcha') })
      setProblems({})
      const fields: Fields = { ...values, consent: true }
      const recipient = contractor.kind === 'found' ? contractor.name : values.recipientBin
      const given = { file, fields, language: currentLanguage(), recipient }
      onBegun(await begin(leave.current, answer, given, setPart))
    } catch (error) {
      fail(error)
    } finally {
      setPart(null)
    }
  }

  function fail(error: unknown): void {
    const alias = error instanceof ApiError ? error.alias : ''
    if (alias === 'validation-failure') return show(fieldsIn(error as ApiError))
    if (alias.startsWith('file-') && alias !== 'file-storage-error') return show({ file: errorText(error) })
    if (alias === 'captcha-needed' || alias === 'transaction-token-not-found') startAnew()
    setFailure(errorText(error))
  }

  function fieldsIn({ parameters }: ApiError): Problems {
    const fields = parameters['fields'] as { path: string; code: string }[]
    return Object.fromEntries(
      fields.map(({ path, code }) => {
        const known = [
          'required',
          'email-incorrect',
          'phone-incorrect',
          'twelve-digits',
          'check-digit',
        ] as const
        const one = known.find((name) => name === code)
        return [path === 'fileName' ? 'file' : path, t(one ? `errors.${one}` : 'errors.incorrect')]
      }),
    )
  }

  const field = (name: Name) => ({
    name,
    value: values[name],
    problem: problems[name],
    onChange: (text: string) => change(name, text),
    onLeave: () => values[name] !== '' && say(name, problemOf(name, values[name])),
  })
  return (
    <form ref={form} className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      <FilePlace
        file={file}
        accept={landingFormats.map((format) => `.${format}`).join()}
        problem={problems.file}
        onChoose={choose}
      />
      <fieldset>
        <legend>{t('recipient')}</legend>
        <Field
          {...field('recipientBin')}
          label={t('recipientBin.label')}
          inputMode="numeric"
          onChange={(text) => change('recipientBin', typedNumber(text))}
          note={
            contractor.kind === 'none'
              ? ''
              : contractor.kind === 'found'
                ? contractor.name
                : t(`recipientBin.${contractor.kind}`)
          }
          isGood={contractor.kind === 'found'}
        />
        <Field
          {...field('recipientEmail')}
          label={t('recipientEmail.label')}
          type="email"
          autoComplete="off"
        />
      </fieldset>
      <fieldset>
        <legend>{t('sender')}</legend>
        <Field
          {...field('senderEmail')}
          label={t('senderEmail.label')}
          type="email"
          autoComplete="email"
          hint={t('senderEmail.hint')}
        />
        <Field
          {...field('senderPhone')}
          label={t('senderPhone.label')}
          type="tel"
          autoComplete="tel"
          placeholder="+7 700 000 00 00"
        />
      </fieldset>
      <div className={classes.consent}>
        <input
          type="checkbox"
          id={consentId}
          name="consent"
          checked={hasAgreed}
          aria-invalid={problems.consent !== undefined}
          aria-describedby={`${consentId}-problem`}
          onChange={({ currentTarget: { checked } }) => {
            setAgreed(checked)
            if (checked) say('consent', undefined)
          }}
        />
        <label htmlFor={consentId}>
          {t('consent.before')} <FileLink name="terms-of-use">{t('consent.rules')}</FileLink>{' '}
          {t('consent.and')} <FileLink name="personal-data-agreement">{t('consent.personal')}</FileLink>
        </label>
        <p id={`${consentId}-problem`} className={classes.problem}>
          {problems.consent}
        </p>
      </div>
      <div ref={captchaPlace} className={classes.captcha} onInput={() => say('captcha', undefined)} />
      <p className={classes.problem} role="alert">
        {problems.captcha ?? failure}
      </p>
      <button type="submit" className={classes.primary} aria-disabled={part !== null}>
        {t('next')}
      </button>
      <p className={classes.said} role="status">
        {part === null ? '' : part < 1 ? t('sending', { percent: Math.round(part * 100) }) : t('checking')}
      </p>
    </form>
  )
}

function FileLink({ name, children }: { name: string; children: string }) {
  return (
    <a href={`/files/${name}.${currentLanguage()}.pdf`} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
