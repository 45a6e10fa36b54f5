/** Sends the feedback form. Typed text stays in the form if sending fails. */
import { isPhone } from '@kelisim/domain/landing/feedback.ts'
import { mountCaptcha } from '../captcha/captcha-widget.ts'

const names = ['name', 'email', 'phone', 'message'] as const
type Name = (typeof names)[number]
type Problems = Partial<Record<Name, string>>

export async function feedbackForm(form: HTMLFormElement): Promise<void> {
  const texts = JSON.parse(form.dataset['texts']!) as Record<string, string>
  const field = (name: Name) => form.elements.namedItem(name) as HTMLInputElement | HTMLTextAreaElement
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!
  const wrongInAll = form.querySelector<HTMLElement>('[data-error-of=captcha]')!
  const sent = form.parentElement!.querySelector<HTMLElement>('.sent')!
  const captchaPlace = form.querySelector<HTMLElement>('.captcha-place')!
  const captcha = await mountCaptcha(captchaPlace)

  for (const name of names) {
    field(name).addEventListener('change', () => show(name, problemOf(name)))
    field(name).addEventListener('input', () => {
      dropLeadingSpaces(field(name))
      if (field(name).ariaInvalid === 'true') show(name, problemOf(name))
    })
  }
  captchaPlace.addEventListener('input', () => {
    wrongInAll.textContent = ''
  })
  form.addEventListener('submit', (submit) => {
    submit.preventDefault()
    void send()
  })
  sent.querySelector('button')!.addEventListener('click', () => {
    sent.hidden = true
    form.hidden = false
    field('message').focus()
  })

  async function send(): Promise<void> {
    wrongInAll.textContent = ''
    if (!showAll(Object.fromEntries(names.map((name) => [name, problemOf(name)])))) return
    wait(true)
    try {
      const answer = await captcha.answer()
      if (!answer) {
        wrongInAll.textContent = texts['captcha-needed']!
        captcha.focus()
        return
      }
      await call({ ...Object.fromEntries(names.map((name) => [name, field(name).value])), captcha: answer })
    } finally {
      wait(false)
    }
  }

  async function call(body: object): Promise<void> {
    const answer = await fetch('/api/Landing/feedback', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null)
    captcha.renew()
    if (answer?.ok) {
      field('message').value = ''
      form.hidden = true
      sent.hidden = false
      sent.focus()
      return
    }
    const { alias, problems } = answer ? await refusalOf(answer) : { alias: '', problems: {} }
    if (alias === 'validation-failure' && !showAll(problems)) return
    if (alias === 'captcha-needed') {
      wrongInAll.textContent = texts['captcha-needed']!
      captcha.focus()
    } else wrongInAll.textContent = texts[answer?.status === 429 ? 'many' : 'failed']!
  }

  function problemOf(name: Name): string {
    const input = field(name)
    if (input.value.trim() === '') return 'required'
    if (name === 'email' && input.validity.typeMismatch) return 'email-incorrect'
    return name === 'phone' && !isPhone(input.value) ? 'phone-incorrect' : ''
  }

  /** False if a field is wrong; the first wrong field gets the focus. */
  function showAll(problems: Problems): boolean {
    for (const name of names) show(name, problems[name] ?? '')
    const first = names.find((name) => problems[name])
    if (first) field(first).focus()
    return first === undefined
  }

  function show(name: Name, problem: string): void {
    const input = field(name)
    input.ariaInvalid = problem ? 'true' : null
    document.getElementById(`feedback-${name}-error`)!.textContent = problem
      ? (texts[problem] ?? texts['other']!)
      : ''
  }

  function wait(isWaiting: boolean): void {
    button.disabled = isWaiting
    button.textContent = texts[isWaiting ? 'sending' : 'send']!
  }
}

type Refused = {
  ExceptionData?: { Alias: string; Parameters: { fields?: { path: string; code: string }[] } }
}

async function refusalOf(answer: Response): Promise<{ alias: string; problems: Problems }> {
  const body = (await answer.json().catch(() => ({}))) as Refused
  const fields = body.ExceptionData?.Parameters.fields ?? []
  return {
    alias: body.ExceptionData?.Alias ?? '',
    problems: Object.fromEntries(fields.map(({ path, code }) => [path, code])),
  }
}

/** Removes leading spaces and keeps the caret at its place in the text. */
function dropLeadingSpaces(field: HTMLInputElement | HTMLTextAreaElement): void {
  const kept = field.value.trimStart()
  const dropped = field.value.length - kept.length
  if (dropped === 0) return
  const caret = Math.max(0, (field.selectionStart ?? 0) - dropped)
  field.value = kept
  // a field for an e-mail address has no caret to set
  if (field.selectionStart !== null) field.setSelectionRange(caret, caret)
}
