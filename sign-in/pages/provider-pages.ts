/** The pages shown by the OpenID provider itself: sign-out and errors. */
import { html, type Html } from '../http/html.ts'
import { paths } from '../http/paths.ts'
import type { RefusalKind } from '../http/refused.ts'
import type { Visit } from '../http/visit.ts'
import { button, buttonLink, hidden } from '../markup/fields.ts'
import { layout, messagePage } from '../markup/layout.ts'

export function confirmLogoutPage(visit: Visit, xsrf: string, action: string): Html {
  const { t } = visit
  return layout(visit, {
    title: t('logout.title'),
    content: html`<h1>${t('logout.title')}</h1>
      <p class="lead">${t('logout.lead')}</p>
      <form method="post" action="${action}" class="stack">
        ${hidden('xsrf', xsrf)}${hidden('logout', 'yes')} ${button(t('logout.submit'))}
        ${buttonLink(t('logout.stay'), '/', 'quiet')}
      </form>`,
  })
}

export function signedOutPage(visit: Visit): Html {
  const { t } = visit
  return messagePage(visit, {
    kind: 'good',
    title: t('signedOut.title'),
    lead: t('signedOut.lead'),
    action: buttonLink(t('signedOut.again'), paths.start),
  })
}

export function errorPage(visit: Visit, kind: RefusalKind): Html {
  const { t } = visit
  return messagePage(visit, {
    kind: 'bad',
    title: t(`error.${kind}.title`),
    lead: t(`error.${kind}.lead`),
    action: buttonLink(t('error.start'), paths.start),
    at: paths.account,
  })
}
