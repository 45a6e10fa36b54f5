/** Every page of this service. */
import type { Handler } from './http/context.ts'
import { methods } from './methods/methods.ts'
import { sendPasskeyChallenge } from './methods/passkey.ts'
import { beginPhone, phoneState, showPhone } from './methods/phone.ts'
import { sendChallenge } from './methods/signature.ts'
import {
  documentsForPhone,
  introduceToPhone,
  introduceToSamePhone,
  receiveFromPhone,
} from './pages/phone-protocol.ts'
import { enterAsOutsider, linkAccount, showUnknown } from './pages/unknown.ts'
import { changePassword, showAccount, signOutEverywhere } from './pages/account.ts'
import { confirm, showConfirm } from './pages/confirm.ts'
import { showLogin, signInBy } from './pages/login.ts'
import { autologin, signout } from './pages/passages.ts'
import { addPasskey, askBeforeRemoval, beginPasskey, removePasskey, showPasskeys } from './pages/passkeys.ts'
import { register, showRegister } from './pages/register.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  renewSpareCodes,
  showSecondFactor,
  turnOff,
} from './pages/second-factor.ts'
import { showSecondStep, takeSecondStep } from './pages/second-step.ts'
import { forgot, reset, showForgot, showReset } from './pages/reset.ts'

/** `:uid` matches one segment of the path, which the handler gets. */
const routes: readonly (readonly ['GET' | 'POST' | 'PUT', string, Handler])[] = [
  ['GET', '/interaction/:uid', showLogin],
  ...methods.map((method) => ['POST', `/interaction/:uid/${method.name}`, signInBy(method)] as const),
  ['GET', '/interaction/:uid/code', showSecondStep],
  ['POST', '/interaction/:uid/code', takeSecondStep],
  ['POST', '/interaction/:uid/challenge', sendChallenge],
  ['POST', '/interaction/:uid/passkey-challenge', sendPasskeyChallenge],
  ['POST', '/interaction/:uid/phone-begin', beginPhone],
  ['GET', '/interaction/:uid/phone', showPhone],
  ['GET', '/interaction/:uid/phone-state', phoneState],
  ['GET', '/interaction/:uid/unknown', showUnknown],
  ['GET', '/interaction/:uid/register', showRegister],
  ['POST', '/interaction/:uid/confirm', confirm],
  ['POST', '/interaction/:uid/outsider', enterAsOutsider],
  ['POST', '/interaction/:uid/link', linkAccount],
  // called by the mobile app, which knows the address from the QR code (`e`) or from a link on the same phone (`l`);
  // anybody who has the address may call it, but the documents also need the token from the introduction
  ['GET', '/e/:uid/mgovSign', introduceToPhone],
  ['GET', '/l/:uid/mgovSign', introduceToSamePhone],
  ['GET', '/e/:uid/documents', documentsForPhone],
  ['PUT', '/e/:uid/documents', receiveFromPhone],
  ['GET', '/register', showRegister],
  ['POST', '/register', register],
  ['GET', '/confirm', showConfirm],
  ['POST', '/confirm', confirm],
  ['GET', '/forgot', showForgot],
  ['POST', '/forgot', forgot],
  ['GET', '/reset', showReset],
  ['POST', '/reset', reset],
  ['GET', '/account', showAccount],
  ['POST', '/account/password', changePassword],
  ['GET', '/account/second-factor', showSecondFactor],
  ['POST', '/account/second-factor', beginEnrolment],
  ['POST', '/account/second-factor/confirm', confirmEnrolment],
  ['POST', '/account/second-factor/codes', renewSpareCodes],
  ['POST', '/account/second-factor/off', turnOff],
  ['GET', '/account/passkeys', showPasskeys],
  ['POST', '/account/passkeys', addPasskey],
  ['POST', '/account/passkeys/begin', beginPasskey],
  ['GET', '/account/passkeys/remove', askBeforeRemoval],
  ['POST', '/account/passkeys/remove', removePasskey],
  ['POST', '/account/sign-out', signOutEverywhere],
  ['GET', '/autologin', autologin],
  ['GET', '/signout', signout],
]

const compiled = routes.map(([method, path, handler]) => ({
  method,
  handler,
  pattern: new RegExp(`^${path.replace(':uid', '([\\w-]{21,64})')}$`),
}))

export function findRoute(method: string, path: string): { handler: Handler; parameter: string } | null {
  const wanted = method === 'HEAD' ? 'GET' : method
  for (const route of compiled) {
    const match = route.method === wanted ? route.pattern.exec(path) : null
    if (match) return { handler: route.handler, parameter: match[1] ?? '' }
  }
  return null
}
