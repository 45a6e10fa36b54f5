/** A person's own passkeys: the list, adding one, removing one. */
import type { Tx } from '@kelisim/db/db.ts'
import { shownMoment } from '@kelisim/domain/calendar.ts'
import { placeOf } from '@kelisim/domain/signatures/phone-sign-in.ts'
import { findSecondFactor, takeAnyCode } from '../accounts/second-factor-queries.ts'
import { passkeyScriptAddress } from '../http/assets.ts'
import type { Context, Handler } from '../http/context.ts'
import { emailOf } from '../http/emails.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { paths } from '../http/paths.ts'
import { Refused } from '../http/refused.ts'
import { readForm, type Form, type Visit } from '../http/visit.ts'
import { alert, button, buttonLink, field, form, hidden, knownUsername } from '../markup/fields.ts'
import { layout } from '../markup/layout.ts'
import { createdPasskey, creationOptions, siteOf } from '../passkeys/ceremony.ts'
import {
  deletePasskey,
  findPasskeysOf,
  issuePasskeyChallenge,
  maxPasskeys,
  savePasskey,
  takePasskeyChallenge,
  type Passkey,
  type PasskeyChallenge,
} from '../passkeys/passkey-queries.ts'
import { codeField, passwordField, proving, type ProofFailure } from './fresh-proof.ts'
import { signedIn, signInFirst, type SignedIn } from './signed-in.ts'

const longestName = 60
const longestAnswer = 32 * 1024

export const showPasskeys: Handler = async (visit, context) => {
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.passkeys)
  return { status: 200, page: await listPage(visit, context, person, {}) }
}

/** Requires a fresh proof, so that nobody adds a passkey of their own at an unattended computer. */
export const beginPasskey: Handler = async (visit, context) => {
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.passkeys)
  const known = await findPasskeysOf(context.database.db, person.account.id)
  if (known.length >= maxPasskeys) return { location: paths.passkeys }
  const issued: PasskeyChallenge[] = []
  const refused = await afterProof(visit, context, person, fields, async (tx) => {
    const challenge = await issuePasskeyChallenge(tx, wantedBy(person), visit.now)
    if (challenge) issued.push(challenge)
  })
  if (refused)
    return { status: refused.status, page: await listPage(visit, context, person, refused.failure) }
  const [challenge] = issued
  if (!challenge) throw new Refused('too-many', 429)
  return { status: 200, page: await creationPage(visit, context, person, known, challenge) }
}

export const addPasskey: Handler = async (visit, context) => {
  const { database, queueMail, publicUrl } = context
  const { t, now } = visit
  const fields = await readForm(visit.request, longestAnswer)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.passkeys)
  const { account } = person
  const again = async (message: string) => ({
    status: 422,
    page: await listPage(visit, context, person, { message }),
  })
  const challenge = await database.write((tx) =>
    takePasskeyChallenge(tx, fields.get('challenge'), wantedBy(person), now),
  )
  if (!challenge) return again(t('passkeys.stale'))
  const created = await createdPasskey(
    fields.get('credential'),
    siteOf(publicUrl, t('product')),
    challenge.challenge,
  )
  if (!created) return again(t('passkeys.notAdded'))
  const name = fields.get('name').trim().slice(0, longestName) || suggestedName(visit)
  const result = await database.write(async (tx) => {
    const saved = await savePasskey(tx, { ...created, accountId: account.id, name, createdAt: now }, account)
    if (saved === 'saved')
      await queueMail(tx, emailOf('passkeyAdded', account, new URL(paths.passkeys, publicUrl)))
    return saved
  })
  if (result === 'ended') return signInFirst(context, paths.passkeys)
  if (result !== 'saved') return again(t(`passkeys.${result}`))
  return { location: paths.passkeys }
}

export const askBeforeRemoval: Handler = async (visit, context) => {
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.passkeys)
  return removal(visit, context, person, visit.url.searchParams.get('id') ?? '', null)
}

export const removePasskey: Handler = async (visit, context) => {
  const { queueMail, publicUrl } = context
  const fields = await readForm(visit.request)
  const person = await signedIn(visit, context)
  if (!person) return signInFirst(context, paths.passkeys)
  const { account } = person
  const id = fields.get('id')
  const refused = await afterProof(visit, context, person, fields, async (tx) => {
    if (await deletePasskey(tx, account.id, id))
      await queueMail(tx, emailOf('passkeyRemoved', account, new URL(paths.passkeys, publicUrl)))
  })
  return refused ? removal(visit, context, person, id, refused) : { location: paths.passkeys }
}

function wantedBy({ account, sessionUid }: SignedIn) {
  return { purpose: 'add' as const, boundTo: sessionUid, accountId: account.id }
}

/** The password, with a code where sign-ins ask for one; or a digital signature that was presented just now. */
async function afterProof(
  visit: Visit,
  context: Context,
  { account, isFreshSignature }: SignedIn,
  fields: Form,
  change: (tx: Tx) => Promise<void>,
): Promise<{ status: number; failure: ProofFailure } | null> {
  if (isFreshSignature) {
    await context.database.write(change)
    return null
  }
  if (account.passwordHash === null)
    return { status: 403, failure: { message: visit.t('passkeys.signAgain') } }
  return proving(visit, context, account, fields.get('password'), async (tx) => {
    const isCodeNeeded = (await findSecondFactor(tx, account.id))?.confirmedAt
    if (isCodeNeeded && !(await takeAnyCode(tx, account.id, fields.get('code'), visit.now)))
      return { code: visit.t('secondStep.wrong') }
    await change(tx)
    return null
  })
}

async function listPage(
  visit: Visit,
  context: Context,
  person: SignedIn,
  failure: ProofFailure,
): Promise<Html> {
  const { t } = visit
  const passkeys = await findPasskeysOf(context.database.db, person.account.id)
  return layout(visit, {
    title: t('passkeys.title'),
    at: paths.passkeys,
    content: html`<h1>${t('passkeys.title')}</h1>
      <p class="lead">${t('passkeys.lead')}</p>
      ${alert(failure.message)}
      ${
        passkeys.length > 0 &&
        html`<ul class="passkeys" aria-label="${t('passkeys.title')}">
          ${passkeys.map((passkey) => passkeyRow(visit, passkey))}
        </ul>`
      }
      <section class="part" aria-labelledby="add">
        <h2 id="add">${t('passkeys.addTitle')}</h2>
        ${
          passkeys.length >= maxPasskeys
            ? html`<p class="note">${t('passkeys.full')}</p>`
            : await proofForm(visit, context, person, failure, {
                action: paths.passkeysBegin,
                label: t('passkeys.add'),
              })
        }
      </section>
      <p class="aside"><a href="${paths.account}">${t('secondFactor.back')}</a></p>`,
  })
}

function passkeyRow({ t }: Visit, { id, name, createdAt, lastUsedAt }: Passkey): Html {
  const used = lastUsedAt ? t('passkeys.used', { when: shownMoment(lastUsedAt) }) : t('passkeys.unused')
  return html`<li>
    <span
      ><b>${name}</b><small>${t('passkeys.made', { when: shownMoment(createdAt) })}</small
      ><small>${used}</small></span
    >
    <a
      href="${paths.passkeysRemove}?${new URLSearchParams({ id }).toString()}"
      aria-label="${t('passkeys.removeNamed', { name })}"
      >${t('passkeys.remove')}</a
    >
  </li>`
}

/** Removes a passkey of this person; another person's passkey counts as not found. */
async function removal(
  visit: Visit,
  context: Context,
  person: SignedIn,
  id: string,
  refused: { status: number; failure: ProofFailure } | null,
) {
  const { t } = visit
  const passkeys = await findPasskeysOf(context.database.db, person.account.id)
  const passkey = passkeys.find((own) => own.id === id)
  if (!passkey) return { location: paths.passkeys }
  const failure = refused?.failure ?? {}
  const page = layout(visit, {
    title: t('passkeys.removeTitle'),
    at: `${paths.passkeysRemove}?${new URLSearchParams({ id }).toString()}`,
    content: html`<h1>${t('passkeys.removeTitle')}</h1>
      <p class="lead">${t('passkeys.removeLead', { name: passkey.name })}</p>
      ${alert(failure.message)}
      ${await proofForm(visit, context, person, failure, {
        action: paths.passkeysRemove,
        label: t('passkeys.remove'),
        also: hidden('id', id),
      })}
      <p class="aside"><a href="${paths.passkeys}">${t('passkeys.keep')}</a></p>`,
  })
  return { status: refused?.status ?? 200, page }
}

/** Asks for what afterProof needs of this person. */
async function proofForm(
  { t }: Visit,
  { database, publicUrl }: Context,
  { account, isFreshSignature }: SignedIn,
  failure: ProofFailure,
  { action, label, also }: { action: string; label: string; also?: Html },
): Promise<Html> {
  if (isFreshSignature) return form(action, html`${also}${button(label)}`)
  if (account.passwordHash === null) {
    const here = new URL(paths.passkeys, publicUrl).href
    const signInAgain = `/connect/signout?${new URLSearchParams({ returnApp: here }).toString()}`
    return html`<p class="note">${t('passkeys.signAgain')}</p>
      ${buttonLink(t('passkeys.signInAgain'), signInAgain, 'quiet')}`
  }
  const isCodeNeeded = (await findSecondFactor(database.db, account.id))?.confirmedAt
  return form(
    action,
    html`${knownUsername(account.email)}${also}${passwordField(t, failure)}
    ${isCodeNeeded && codeField(t, failure)}${button(label)}`,
  )
}

async function creationPage(
  visit: Visit,
  { publicUrl }: Context,
  { account }: SignedIn,
  known: readonly Passkey[],
  { id, challenge }: PasskeyChallenge,
): Promise<Html> {
  const { t } = visit
  const options = await creationOptions(siteOf(publicUrl, t('product')), account, known, challenge)
  return layout(visit, {
    title: t('passkeys.createTitle'),
    at: paths.passkeys,
    content: html`<h1>${t('passkeys.createTitle')}</h1>
      <p class="lead">${t('passkeys.createLead')}</p>
      <div
        data-passkey="create"
        data-options="${JSON.stringify({ id, options })}"
        data-canceled="${t('passkeys.canceled')}"
        data-known="${t('passkeys.taken')}"
        data-failed="${t('passkeys.failed')}"
      >
        ${form(
          paths.passkeys,
          html`${hidden('challenge', '')}${hidden('credential', '')}
            ${field({
              name: 'name',
              label: t('passkeys.name'),
              type: 'text',
              autocomplete: 'off',
              value: suggestedName(visit),
              help: t('passkeys.nameHelp'),
            })} <button class="button" type="button" ${trusted('disabled')}>${t('passkeys.create')}</button>`,
        )}
        <p class="status" role="status"></p>
        <noscript><p class="help">${t('passkeys.noScript')}</p></noscript>
      </div>
      <p class="aside"><a href="${paths.passkeys}">${t('passkeys.cancel')}</a></p>
      <script src="${passkeyScriptAddress}" type="module"></script>`,
  })
}

/** Suggests the browser and the system in use as the name, because most passkeys are created on the device itself. */
function suggestedName({ request, t }: Visit): string {
  const { browser, system } = placeOf(request.headers['user-agent'] ?? '', '')
  return [browser, system].filter((part) => part !== null).join(', ') || t('passkeys.unnamed')
}
