/**
 * Captchas for callers without a session: a proof of work by the browser, or a question in words for people who
 * prefer it or whose browser cannot do it. No third party is involved.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

export const getCaptcha = endpoint({
  method: 'GET',
  path: '/api/Landing/captcha',
  access: 'anyone',
  summary: 'Work for the browser of somebody without a session',
  perMinute: 30,
  input: z.object({}),
  /** In the format of the `altcha` libraries. */
  result: z.object({ challenge: z.record(z.string(), z.unknown()) }),
  refusals: [],
})

/** Questions have a lower limit than proofs of work and expire sooner, because they are cheap to answer. */
export const getCaptchaQuestion = endpoint({
  method: 'GET',
  path: '/api/Landing/captcha/question',
  access: 'anyone',
  summary: 'The same as a question in words, in the language of the caller',
  perMinute: 6,
  input: z.object({}),
  result: z.object({ question: z.string(), token: z.string() }),
  refusals: [],
})

/** The answer is part of the call that needs it, and is accepted once. */
export const CaptchaAnswer = z.union([
  /** Base64 of the JSON `{challenge, solution}`. */
  z.object({ work: z.string().check(z.maxLength(4000)) }),
  z.object({ token: z.string().check(z.maxLength(400)), answer: z.string().check(z.maxLength(20)) }),
])
