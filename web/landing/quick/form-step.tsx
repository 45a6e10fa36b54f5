/** Document, sender, recipient, consent and the captcha. Typed values stay if the server refuses them. */
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { landingFormats } from '@kelisim/domain/documents/formats.ts'
import { typedNumber } from '@kelisim/domain/numbers.ts'
import { ApiError } from '../../api/api.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { begin, newSendPermission, errorText, whyNotFile, type Begun, type Fields } from './calls.ts'
import { Consent } from './consent.tsx'
import { Field } from './field.tsx'
import {
  fieldNames,
  fieldProblem,
  places,
  problemsFromServer,
  type FieldName,
  type FieldValues,
  type FormPlace,
} from './fields.ts'
import { FilePlace } from './file-place.tsx'
import classes from './quick.module.css'
import { useCaptcha } from './use-captcha.ts'
import { useContractor } from './use-contractor.ts'

type Problems = Partial<Record<FormPlace, string>>

export function FormStep({
  given,
  isShown,
  onBegun,
}: {
  /** A file that was dropped elsewhere on the page. */
  given: File | null
  isShown: boolean
  onBegun: (begun: Begun) => void
}) {
  const { t } = useTexts('landing-quick-send')
  const [values, setValues] = useState<FieldValues>({
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
  const { place: captchaPlace, captcha } = useCaptcha()
  const contractor = useContractor(values.recipientBin)

  // A token is valid for one document: going back to change something needs a new one.
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (isShown && !wasShown.current) startAnew()
    wasShown.current = isShown
  })

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

  const problemOf = (name: FieldName, text: string): string | undefined => {
    const problem = fieldProblem(name, text)
    return problem ? t(problem) : undefined
  }
  const say = (name: FormPlace, problem: string | undefined) =>
    setProblems(({ [name]: _, ...others }) => (problem ? { ...others, [name]: problem } : others))

  function change(name: FieldName, text: string): void {
    setValues({ ...values, [name]: text })
    if (problems[name]) say(name, problemOf(name, text))
  }

  function show(found: Problems): void {
    setProblems(found)
    const first = places.find((name) => name in found)
    if (first === 'captcha') captcha.current?.focus()
    else if (first) form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (part !== null) return
    setFailure(null)
    const found: Problems = {
      ...(file ? {} : { file: t('errors.file') }),
      ...Object.fromEntries(
        fieldNames.flatMap((name) => {
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
    if (alias === 'validation-failure') {
      const found = problemsFromServer(error as ApiError)
      if (found.length > 0) return show(Object.fromEntries(found.map(([place, key]) => [place, t(key)])))
    }
    if (alias.startsWith('file-') && alias !== 'file-storage-error') return show({ file: errorText(error) })
    if (alias === 'captcha-needed' || alias === 'transaction-token-not-found') startAnew()
    setFailure(errorText(error))
  }

  const field = (name: FieldName) => ({
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
      <Consent
        hasAgreed={hasAgreed}
        problem={problems.consent}
        onChange={(checked) => {
          setAgreed(checked)
          if (checked) say('consent', undefined)
        }}
      />
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
