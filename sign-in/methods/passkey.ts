/** Signing in by a passkey. It counts as two factors: the device, and the finger, face or PIN that unlocks it. */
import type { Tx } from '@kelisim/db/db.ts'
import { lockAccount } from '../accounts/account-queries.ts'
import { attemptSucceeded, beginAttempt } from '../accounts/attempt-queries.ts'
import { passkeyScriptAddress } from '../http/assets.ts'
import type { Context, Handler } from '../http/context.ts'
import { emailOf } from '../http/emails.ts'
import { html } from '../http/html.ts'
import { interactionPath, paths } from '../http/paths.ts'
import { minutesUntil, type Visit } from '../http/visit.ts'
import { alert, form, hidden } from '../markup/fields.ts'
import { assertionOf, hasGoneBack, provedCounter, requestOptions, siteOf } from '../passkeys/ceremony.ts'
import {
  findPasskey,
  issuePasskeyChallenge,
  lockPasskey,
  notePasskeyUse,
  takePasskeyChallenge,
} from '../passkeys/passkey-queries.ts'
import { currentInteraction } from './interaction.ts'
import type { Failure, Proof, SignInMethod } from './method.ts'

export const passkey: SignInMethod = {
  name: 'passkey',
  formLimit: 32 * 1024,

  // Hidden until the script finds that this browser knows passkeys.
  render({ visit: { t }, uid, failure }) {
    const at = interactionPath(uid)
    return html`${failure?.method === 'passkey' && alert(failure.message)}
      <div
        class="passkey"
        data-passkey="get"
        data-challenge="${at}/passkey-challenge"
        data-canceled="${t('passkeys.canceled')}"
        data-failed="${t('passkeys.failed')}"
        hidden
      >
        ${form(
          `${at}/${passkey.name}`,
          html`${hidden('challenge', '')}${hidden('credential', '')}
            <button class="button quiet" type="button">${t('passkeys.enter')}</button>`,
        )}
        <p class="status" role="status"></p>
        <script src="${passkeyScriptAddress}" type="module"></script>
      </div>`
  },

  async attempt(fields, visit, context, uid) {
    const { database, publicUrl } = context
    const { t, address, now } = visit
    const assertion = assertionOf(fields.get('credential'))
    if (!assertion) return failure(422, t('passkeys.wrong'))
    // Attempts are counted by network address and by passkey, not by account: knowing an e-mail must not let anybody
    // lock its owner out.
    const guess = { email: `passkey ${assertion.id}`, address }
    const begun = await database.write((tx) => beginAttempt(tx, guess, now))
    if (begun.blockedUntil)
      return failure(429, t('login.blocked', { count: minutesUntil(begun.blockedUntil, now) }))

    const wanted = { purpose: 'enter' as const, boundTo: uid, accountId: null }
    const challenge = await database.write((tx) =>
      takePasskeyChallenge(tx, fields.get('challenge'), wanted, now),
    )
    if (!challenge) return failure(401, t('passkeys.stale'))
    const known = await findPasskey(database.db, assertion.id)
    const site = siteOf(publicUrl, t('product'))
    const counter = known && (await provedCounter(assertion, site, challenge.challenge, known))
    if (counter === undefined || counter === null) return failure(401, t('passkeys.wrong'))
    return database.write(async (tx) => {
      const result = await enter(tx, assertion.id, counter, visit, context)
      if ('account' in result) await attemptSucceeded(tx, begun.attempt)
      return result
    })
  },
}

/** Runs under the lock of the passkey, which may have been removed or used since it was read. */
async function enter(
  tx: Tx,
  id: string,
  counter: number,
  { t, now }: Visit,
  { queueMail, publicUrl }: Context,
): Promise<Proof | Failure> {
  const current = await lockPasskey(tx, id)
  const account = current && (await lockAccount(tx, current.accountId))
  if (!account) return failure(401, t('passkeys.wrong'))
  if (hasGoneBack(current.counter, counter)) {
    await queueMail(tx, emailOf('passkeyCopied', account, new URL(paths.passkeys, publicUrl)))
    return failure(401, t('passkeys.copied'))
  }
  await notePasskeyUse(tx, id, counter, now)
  // Never `swk`, which stands for the digital signature in this product.
  return { account, amr: ['pop', 'user', 'mfa'] }
}

/** A new challenge for the page's script. */
export const sendPasskeyChallenge: Handler = async (visit, context, uid) => {
  const { t, now } = visit
  if (!(await currentInteraction(visit, context, uid)))
    return { status: 400, json: { message: t('signature.ended') } }
  const challenge = await context.database.write((tx) =>
    issuePasskeyChallenge(tx, { purpose: 'enter', boundTo: uid, accountId: null }, now),
  )
  if (!challenge) return { status: 429, json: { message: t('error.too-many.lead') } }
  const options = await requestOptions(siteOf(context.publicUrl, t('product')), challenge.challenge)
  return { status: 200, json: { id: challenge.id, options } }
}

function failure(status: number, message: string): Failure {
  return { status, email: '', method: 'passkey', message }
}
