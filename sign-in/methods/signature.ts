/** The digital signature made by the desktop program: the page's script asks it to sign a challenge. */
import type { SignatureProof } from '@kelisim/db/schema/sign-in.ts'
import { judge, type Fault } from '@kelisim/domain/signatures/verdict.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { saveOutsider } from '../accounts/outsider-queries.ts'
import { findAccountByIin } from '../accounts/account-queries.ts'
import { clientLibraryAddress, signatureScriptAddress } from '../http/assets.ts'
import { issueChallenge, saveResult, takeChallenge } from '../accounts/challenge-queries.ts'
import type { Context, Handler } from '../http/context.ts'
import { html, trusted } from '../http/html.ts'
import { alert, button, form, hidden } from '../markup/fields.ts'
import { chosenWay, currentInteraction } from './interaction.ts'
import { interactionPath } from '../http/paths.ts'
import { proofOf } from '../http/signature-check.ts'
import type { Visit } from '../http/visit.ts'
import type { Failure, Proof, SignInMethod } from './method.ts'

/** A signature takes three kilobytes; with a long chain ten. */
const signatureLimit = 64 * 1024

export const signature: SignInMethod = {
  name: 'signature',
  formLimit: 2 * signatureLimit,

  render({ visit: { t, language }, context, uid, failure, way }) {
    const { checkSignature, desktopSigner } = context
    if (!checkSignature) return null
    const at = interactionPath(uid)
    const texts = ['connecting', 'choosing', 'checking', 'canceled', 'notRunning', 'failed'] as const
    return html`<section class="signature" aria-labelledby="signature-title">
      <h2 id="signature-title">${t('signature.title')}</h2>
      <p>${t(way === null ? 'signature.lead' : 'signature.documentLead')}</p>
      ${failure?.method === 'signature' && alert(failure.message)}
      <div
        data-signature
        data-program="${desktopSigner.url.href}"
        data-any-chain="${String(desktopSigner.acceptsAnyChain)}"
        data-challenge="${at}/challenge"
        data-language="${language}"
        ${way === 'desktop' && !failure && trusted('data-at-once')}
        ${texts.map((key) => html`data-${key.toLowerCase()}="${t(`signature.${key}`)}" `)}
      >
        ${form(
          `${at}/${signature.name}`,
          html`${hidden('challenge', '')}${hidden('cms', '')}
            <button class="button ${way === null && 'quiet'}" type="button" disabled>
              ${t('signature.desktop')}
            </button>`,
        )}
        <p class="status" role="status"></p>
        <noscript><p class="help">${t('signature.noScript')}</p></noscript>
      </div>
      ${form(`${at}/phone-begin`, button(t('signature.phone'), 'quiet'))}
      ${
        desktopSigner.windowUrl &&
        html`<p class="help">
          ${t('signature.demoWindow')}
          <a href="${desktopSigner.windowUrl.href}" target="_blank" rel="noopener"
            >${t('signature.openWindow')}</a
          >
        </p>`
      }
      <script src="${clientLibraryAddress}" defer></script>
      <script src="${signatureScriptAddress}" type="module"></script>
    </section>`
  },

  async attempt(fields, visit, context, uid) {
    const { checkSignature, database } = context
    if (!checkSignature) return refused(visit, ['document-missing'])
    const wanted = { id: fields.get('challenge'), interactionUid: uid }
    const challenge = await database.write((tx) => takeChallenge(tx, wanted, visit.now))
    const cms = decoded(fields.get('cms'))
    if (!challenge?.content) return stale(visit)
    if (!cms) return refused(visit, ['not-a-signature'])
    const outcome = proofOf(await checkSignature(cms, challenge.content, visit.address))
    await database.write((tx) => saveResult(tx, challenge, outcome))
    return 'proof' in outcome ? entrance(outcome.proof, visit, context, uid) : refused(visit, outcome.faults)
  },
}

/** A new challenge for the page's script. */
export const sendChallenge: Handler = async (visit, context, uid) => {
  if (!context.checkSignature || !(await currentInteraction(visit, context, uid))) {
    return { status: 400, json: { message: visit.t('signature.ended') } }
  }
  const { publicUrl, database } = context
  const title = visit.t('signature.challenge')
  const challenge = await database.write((tx) =>
    issueChallenge(tx, { interactionUid: uid, via: 'desktop', title, origin: publicUrl.origin }, visit.now),
  )
  if (!challenge?.content) return { status: 429, json: { message: visit.t('error.too-many.lead') } }
  return { status: 200, json: { id: challenge.id, content: challenge.content.toString('base64') } }
}

/**
 * The account with this IIN. A person without an account chooses how to go on; one who came to a document continues to
 * it as an outsider.
 */
export async function entrance(
  proof: SignatureProof,
  visit: Visit,
  context: Context,
  uid: string,
): Promise<Proof | { location: string }> {
  const account = await findAccountByIin(context.database.db, proof.iin)
  if (account) return { account, amr: ['swk', 'user'] }
  const interaction = await currentInteraction(visit, context, uid)
  if (interaction && chosenWay(interaction) !== null) return outsiderProof(proof, visit, context)
  return { location: `${interactionPath(uid)}/unknown` }
}

/** The proof of an outsider: a person without an account, known by their IIN and BIN alone. */
export async function outsiderProof(
  proof: SignatureProof,
  { language, now }: Visit,
  { database }: Context,
): Promise<Proof> {
  const { id } = await database.write((tx) => saveOutsider(tx, proof, language, now))
  return { account: { id, sessionsValidFrom: null }, amr: ['swk', 'user'] }
}

export function refused(visit: Visit, faults: readonly Fault[]): Failure {
  const { code } = judge(faults)
  const text = code ? textsOf(visit.language, 'signatures')(`codes.${code}`) : ''
  return { status: 401, email: '', method: 'signature', message: `${text} (${code})` }
}

function stale({ t }: Visit): Failure {
  return { status: 401, email: '', method: 'signature', message: t('signature.stale') }
}

/** PEM or base64, as the program returns it. */
export function decoded(text: string): Uint8Array | null {
  const body = text.replaceAll(/-----(BEGIN|END) CMS-----/g, '').replaceAll(/\s/g, '')
  if (body === '' || body.length > 2 * signatureLimit || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return null
  return Uint8Array.from(Buffer.from(body, 'base64'))
}
