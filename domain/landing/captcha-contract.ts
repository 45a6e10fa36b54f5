/**
 * That somebody without a session is no robot: their browser has done some work, or they have answered a question in words
 * (for browsers that cannot do it, and for whoever would rather). No outside service is asked.
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
  /** As the `altcha` libraries have it: the browser solves it with them. */
  result: z.object({ challenge: z.record(z.string(), z.unknown()) }),
  refusals: [],
})

/** Fewer: a question costs nothing to answer. */
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

/** Goes with the call that needs it; counts once. */
export const CaptchaAnswer = z.union([
  /** Base64 of the JSON `{challenge, solution}`. */
  z.object({ work: z.string().check(z.maxLength(4000)) }),
  z.object({ token: z.string().check(z.maxLength(400)), answer: z.string().check(z.maxLength(20)) }),
])
