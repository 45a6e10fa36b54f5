/** Messages from the landing. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Email, line, Nothing, paragraphs, requiredLine } from '../fields.ts'
import { CaptchaAnswer } from './captcha-contract.ts'
import { isPhone, longestMessage } from './feedback.ts'

export const sendFeedback = endpoint({
  method: 'POST',
  path: '/api/Landing/feedback',
  access: 'anyone',
  summary: 'Keeps a message from the landing and mails it to whoever supports people',
  perMinute: 5,
  input: z.object({
    name: requiredLine(250),
    email: Email,
    phone: line(50).check(z.minLength(1, 'required'), z.refine(isPhone, 'phone-incorrect')),
    message: paragraphs(longestMessage).check(z.minLength(1, 'required')),
    captcha: z.optional(CaptchaAnswer),
  }),
  result: Nothing,
  refusals: ['captcha-needed'],
})
