/** The page that waits for the phone: a QR code for another device, links for this one, and its progress. */
import { renderSVG } from 'uqr'
import { launchLink, phoneCode } from '@kelisim/domain/signatures/phone-protocol.ts'
import { phoneScriptAddress } from '../http/assets.ts'
import type { Challenge } from '../accounts/challenge-queries.ts'
import type { Context } from '../http/context.ts'
import { html, trusted, type Html } from '../http/html.ts'
import { anotherWay, interactionPath } from '../http/paths.ts'
import type { Visit } from '../http/visit.ts'
import { button, buttonLink, form, hidden } from './fields.ts'
import { layout } from './layout.ts'

export function phonePage(visit: Visit, context: Context, uid: string, challenge: Challenge): Html {
  const { t } = visit
  const at = interactionPath(uid)
  const entry = phoneEntry(context.publicUrl, challenge.id)
  const code = phoneCode(entry)
  const { phoneUrl } = context.desktopSigner
  const texts = ['waiting', 'opened', 'fetched', 'proved', 'expired'] as const
  return layout(visit, {
    title: t('signature.phoneTitle'),
    at: `${at}/phone?challenge=${challenge.id}`,
    content: html`<h1>${t('signature.phoneTitle')}</h1>
      <p class="lead">${t('signature.phoneLead')}</p>
      <div class="qr" role="img" aria-label="${t('signature.qr')}">
        ${trusted(renderSVG(code, { ecc: 'L', border: 2 }))}
      </div>
      <div
        data-phone
        data-state="${`${at}/phone-state?challenge=${challenge.id}`}"
        data-until="${challenge.expiresAt.toISOString()}"
        ${texts.map((key) => html`data-text-${key}="${t(`signature.${key}`)}" `)}
      >
        <p class="status" role="status">${t('signature.waiting')}</p>
        <p class="help"><span data-left></span></p>
        ${form(
          `${at}/phone`,
          html`${hidden('challenge', challenge.id)}${button(t('signature.phoneDone'), 'quiet')}`,
        )}
      </div>
      <section aria-labelledby="same-title">
        <h2 id="same-title">${t('signature.samePhone')}</h2>
        <p class="links">
          ${buttonLink('eGov Mobile', launchLink('mobileSign', entry), 'quiet')}
          ${buttonLink('eGov Business', launchLink('businessSign', entry), 'quiet')}
        </p>
      </section>
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

/** The address the app opens: the app looks for this word in it, and a query would need encoding. */
export function phoneEntry(publicUrl: URL, id: string): string {
  return new URL(`/connect/e/${id}/mgovSign`, publicUrl).href
}

function demoPhone(phoneUrl: URL, code: string): string {
  const url = new URL(phoneUrl)
  url.searchParams.set('code', code)
  return url.href
}
