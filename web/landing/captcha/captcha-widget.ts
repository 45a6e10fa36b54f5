/**
 * The captcha: a checkbox that starts a proof of work in the browser, and a question as an alternative. It uses no
 * framework, so that every form of the landing can mount it:
 *
 *   const captcha = await mountCaptcha(place)
 *   const answer = await captcha.answer() // null: show captcha-needed and call captcha.focus()
 *   captcha.renew() // after the call, whether it succeeded or not
 */
import type { Challenge } from 'altcha-lib'
import type { CaptchaAnswer, getCaptchaQuestion } from '@kelisim/domain/landing/captcha-contract.ts'
import type ru from '@kelisim/texts/ru/landing-captcha.json'
import { minute } from '@kelisim/domain/durations.ts'
import type * as z from 'zod/mini'
import type { ProofOfWork } from './captcha-worker.ts'
import './captcha-widget.css'

export type CaptchaProof = z.output<typeof CaptchaAnswer>
type Question = z.output<typeof getCaptchaQuestion.result>

export type CaptchaWidget = {
  /**
   * Waits for a proof of work that is running. Null: the person has neither ticked the box nor answered the question.
   */
  answer: () => Promise<CaptchaProof | null>
  /** Moves the focus to the box or the question that the person has to answer. */
  focus: () => void
  /**
   * Prepares the next answer, because each is valid once. The box keeps its state; the proof of work starts again.
   */
  renew: () => void
  /** Removes the widget and stops its worker. */
  remove: () => void
}

const texts = import.meta.glob<typeof ru>('../../../texts/*/landing-captcha.json', { import: 'default' })
/** The server accepts proofs of work of the last twenty minutes. */
const freshFor = 18 * minute
let mounted = 0

export async function mountCaptcha(
  place: HTMLElement,
  language = document.documentElement.lang,
): Promise<CaptchaWidget> {
  const t = await (
    texts[`../../../texts/${language}/landing-captcha.json`] ??
    texts['../../../texts/ru/landing-captcha.json']!
  )()
  const id = `captcha-${++mounted}`
  const box = make('input', { type: 'checkbox', id, className: 'captcha-box' })
  box.setAttribute('aria-describedby', `${id}-help`)
  const boxLabel = make('label', { htmlFor: id, textContent: t.check })
  const help = make('p', { id: `${id}-help`, className: 'captcha-help', textContent: t.help })
  const other = make('button', { type: 'button', className: 'captcha-other', textContent: t.other })
  const field = make('input', { id: `${id}-answer`, inputMode: 'numeric', autocomplete: 'off', maxLength: 4 })
  const asked = make('label', { htmlFor: field.id })
  const question = make('div', { className: 'captcha-question', hidden: true })
  const status = make('p', { className: 'captcha-status' })
  status.setAttribute('role', 'status')
  const line = make('div', { className: 'captcha-line' })
  const whole = make('div', { className: 'captcha' })
  line.append(box, boxLabel)
  question.append(asked, field)
  whole.append(line, help, other, question, status)
  place.replaceChildren(whole)

  let work: { done: Promise<ProofOfWork>; since: number; end: () => void } | null = null
  let token: string | null = null

  box.addEventListener('change', () => (box.checked ? begin() : stop()))
  other.addEventListener('click', () => (question.hidden ? void ask() : tick()))

  return {
    async answer() {
      if (!question.hidden) {
        const given = field.value.trim()
        return token && given ? { token, answer: given } : null
      }
      if (!box.checked) return null
      if (!work || Date.now() - work.since > freshFor) begin()
      const worked = await work!.done
      return worked === null ? null : { work: worked }
    },
    focus: () => (question.hidden ? box : field).focus(),
    renew() {
      stop()
      if (!question.hidden) void ask()
      else if (box.checked) begin()
    },
    remove() {
      stop()
      whole.remove()
    },
  }

  function begin(): void {
    stop()
    showStatus(t.checking, 'busy')
    const own = { ...solve(), since: Date.now() }
    work = own
    void own.done.then((worked) => {
      if (work !== own) return
      if (worked !== null) return showStatus(t.done, 'done')
      box.checked = false
      void ask().then((isAsked) => isAsked && showStatus(t.failed, 'failed'))
    })
  }

  function stop(): void {
    work?.end()
    work = null
    showStatus('', '')
  }

  async function ask(): Promise<boolean> {
    stop()
    token = null
    field.value = ''
    const got = await get<Question>('/api/Landing/captcha/question')
    if (!got) {
      tick()
      showStatus(t.unavailable, 'failed')
      return false
    }
    token = got.token
    asked.textContent = got.question
    const hadFocus = line.contains(document.activeElement) || other === document.activeElement
    question.hidden = false
    line.hidden = help.hidden = true
    other.textContent = t.back
    if (hadFocus) field.focus()
    return true
  }

  /** Returns to the box, which is preferred, because there are fewer questions than proofs of work. */
  function tick(): void {
    stop()
    token = null
    const hadFocus = question.contains(document.activeElement) || other === document.activeElement
    question.hidden = true
    line.hidden = help.hidden = false
    other.textContent = t.other
    if (hadFocus) box.focus()
  }

  function showStatus(words: string, state: string): void {
    status.textContent = words
    whole.dataset['state'] = state
  }
}

/** The worker is terminated when it is done or no longer needed. */
function solve(): { done: Promise<ProofOfWork>; end: () => void } {
  let end = () => {}
  const done = new Promise<ProofOfWork>((resolve) => {
    let worker: Worker | undefined
    end = () => {
      worker?.terminate()
      resolve(null)
    }
    void get<{ challenge: Challenge }>('/api/Landing/captcha').then((got) => {
      if (!got) return end()
      worker = new Worker(new URL('./captcha-worker.ts', import.meta.url), { type: 'module' })
      worker.addEventListener('error', end)
      worker.addEventListener('message', ({ data }: MessageEvent<ProofOfWork>) => {
        resolve(data)
        end()
      })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
      worker.postMessage(got.challenge)
    })
  })
  return { done, end }
}

async function get<T>(path: string): Promise<T | null> {
  const answer = await fetch(path, { credentials: 'same-origin' }).catch(() => null)
  return answer?.ok ? ((await answer.json()) as T) : null
}

function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties)
}
