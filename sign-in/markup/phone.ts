/**
 * The page that waits for the phone: a QR code for another device, links for this one, and its progress; then the
 * page that asks for the code which the phone shows.
 */
import { renderSVG } from 'uqr'
import { deviceOf } from '@kelisim/domain/signatures/device.ts'
import { launchLink, phoneCode } from '@kelisim/domain/signatures/phone-protocol.ts'
import { shortNameOf } from '@kelisim/domain/signatures/phone-sign-in.ts'
import { phoneScriptAddress } from '../http/assets.ts'
import type { Challenge } from '../accounts/challenge-queries.ts'
import type { Context } from '../http/context.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { anotherWay, interactionPath } from '../http/paths.ts'
import type { Visit } from '../http/visit.ts'
import { button, buttonLink, field, form, hidden } from './fields.ts'
import { layout } from './layout.ts'
import { placeText } from './place.ts'

export function phonePage(visit: Visit, context: Context, uid: string, challenge: Challenge): Html {
  const { t } = visit
  const at = interactionPath(uid)
  const code = phoneCode(phoneEntry(context.publicUrl, 'e', challenge.id))
  const link = phoneEntry(context.publicUrl, 'l', challenge.id)
  const { phoneUrl } = context.desktopSigner
  const texts = ['waiting', 'opened', 'fetched', 'expired'] as const
  const isOnPhone = deviceOf(visit.request.headers['user-agent'] ?? '') !== 'Desktop'
  const samePhone = html`<section aria-labelledby="same-title" ${isOnPhone && trusted('class="first"')}>
    <h2 id="same-title">${t(isOnPhone ? 'signature.onThisPhone' : 'signature.samePhone')}</h2>
    <p class="links">
      ${buttonLink('eGov Mobile', launchLink('mobileSign', link), isOnPhone ? undefined : 'quiet')}
      ${buttonLink('eGov Business', launchLink('businessSign', link), 'quiet')}
    </p>
  </section>`
  const anotherPhone = html`<p class="lead">${t('signature.phoneLead')}</p>
    <div class="qr" role="img" aria-label="${t('signature.qr')}">
      ${trusted(renderSVG(code, { ecc: 'L', border: 2 }))}
    </div>`
  return layout(visit, {
    title: t('signature.phoneTitle'),
    at: `${at}/phone?challenge=${challenge.id}`,
    content: html`<h1>${t('signature.phoneTitle')}</h1>
      ${isOnPhone ? samePhone : anotherPhone}
      <div
        data-phone
        data-state="${`${at}/phone-state?challenge=${challenge.id}`}"
        data-until="${challenge.expiresAt.toISOString()}"
        ${texts.map((key) => html`data-text-${key}="${t(`signature.${key}`)}" `)}
      >
        <p class="status" role="status">${t('signature.waiting')}</p>
        <p class="help"><span data-left></span></p>
        <div class="note">
          <p>${t('signature.codeAhead')}</p>
          <p>${t('signature.placeAhead')} <b>${placeText(challenge, t)}</b></p>
        </div>
        ${form(
          `${at}/phone`,
          html`${hidden('challenge', challenge.id)}${button(t('signature.phoneDone'), 'quiet')}`,
        )}
      </div>
      ${
        isOnPhone
          ? html`<details class="other">
              <summary>${t('signature.anotherPhone')}</summary>
              ${anotherPhone}
            </details>`
          : samePhone
      }
      ${
        phoneUrl &&
        html`<p class="help">
          ${t('signature.demoPhone')}
          <a href="${demoPhone(phoneUrl, code)}" target="_blank" rel="noopener"
            >${t('signature.openPhone')}</a
          >
        </p>`
      }
      <p class="aside"><a href="${anotherWay(uid)}">${t('signature.back')}</a></p>
      <script src="${phoneScriptAddress}" type="module"></script>`,
  })
}

/** `returnSecret`: the phone itself has sent this browser back, so nothing has to be typed. */
export function codePage(
  visit: Visit,
  uid: string,
  { id, proof }: Challenge,
  { returnSecret = '', error }: { returnSecret?: string; error?: string },
): Html {
  const { t } = visit
  const at = interactionPath(uid)
  const name = shortNameOf(proof?.fullName ?? '')
  const isBack = returnSecret !== ''
  return layout(visit, {
    title: t('signature.codeTitle'),
    at: `${at}/phone?challenge=${id}`,
    content: html`<h1>${t('signature.codeTitle')}</h1>
      <p class="lead">${t('signature.codeSigner')} <b>${name}</b></p>
      ${form(
        `${at}/phone`,
        html`${hidden('challenge', id)}
        ${
          isBack
            ? hidden('return', returnSecret)
            : field({
                name: 'code',
                label: t('signature.codeField'),
                type: 'text',
                isDigits: true,
                autocomplete: 'off',
                help: t('signature.codeHelp'),
                error,
                isFirst: true,
              })
        }
        ${button(t('signature.codeSubmit', { name }))}`,
      )}
      <div class="part">
        ${form(`${at}/phone-begin`, button(t('signature.codeForgotten'), 'quiet'))}
        <p class="aside"><a href="${anotherWay(uid)}">${t('signature.back')}</a></p>
      </div>`,
  })
}

/**
 * The address that the app opens: from the QR code (`e`) or from a link on the same phone (`l`). The app requires
 * `mgovSign` in the address; a path is used because a query would need encoding.
 */
export function phoneEntry(publicUrl: URL, from: 'e' | 'l', id: string): string {
  return new URL(`/connect/${from}/${id}/mgovSign`, publicUrl).href
}

function demoPhone(phoneUrl: URL, code: string): string {
  const url = new URL(phoneUrl)
  url.searchParams.set('code', code)
  return url.href
}
