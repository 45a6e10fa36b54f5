/** The parts of the site, each loaded when one of its pages is first opened. */
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { Namespace } from '@kelisim/texts/resources.ts'
import { loadTexts } from './i18n/language.ts'

/**
 * One part of the site, fetched when it is first needed: its pages, their texts, and the loaders of their data.
 * Loaders are a separate chunk, so that data is requested while the pages are still loading.
 */
function part<P extends object, L extends Record<keyof L, (page: never) => void>>(
  texts: readonly Namespace[],
  pages: () => Promise<P>,
  loaders: () => Promise<L>,
) {
  const load = async () => (await Promise.all([pages(), loadTexts(...texts), loaders()]))[0]
  return {
    /** The explicit type avoids a cycle of types between the pages and the route tree. */
    page: (name: keyof P & string): RouteComponent =>
      lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name),
    /** Starts the calls of a page without waiting; the page shows their progress and failures. */
    loader:
      <N extends keyof L>(name: N) =>
      (page: Parameters<L[N]>[0]): void =>
        void loaders().then((all) => all[name](page)),
  }
}

/** A part whose pages need no data of their own. */
function partWithoutData<P extends object>(texts: readonly Namespace[], pages: () => Promise<P>) {
  return part(texts, pages, () => Promise.resolve({}))
}

const sendingTexts = ['requests-sending', 'requests', 'documents', 'routes', 'points', 'registers'] as const
const requestTexts = [
  'requests',
  'comments',
  'requests-packages',
  'requests-lists',
  'registers',
  'documents',
  'points',
  'signatures',
  'notifications',
] as const

export const sending = part(
  sendingTexts,
  () => import('./requests/sending/send-page.tsx'),
  () => import('./requests/sending/loaders.ts'),
)
export const quickSending = part(
  sendingTexts,
  () => import('./requests/sending/quick-page.tsx'),
  () => import('./requests/sending/loaders.ts'),
)
export const packageSending = part(
  [...sendingTexts, 'requests-packages'],
  () => import('./requests/packages/package-page.tsx'),
  () => import('./requests/packages/loaders.ts'),
)
export const requestLists = part(
  ['requests-lists'],
  () => import('./requests/lists/lists-page.tsx'),
  () => import('./requests/lists/loaders.ts'),
)
export const oneRequest = part(
  requestTexts,
  () => import('./requests/page/request-page.tsx'),
  () => import('./requests/page/loaders.ts'),
)
export const queue = part(
  requestTexts,
  () => import('./requests/queue/queue-page.tsx'),
  () => import('./requests/queue/loaders.ts'),
)
export const requestLink = part(
  requestTexts,
  () => import('./requests/link/request-link-page.tsx'),
  () => import('./requests/link/loaders.ts'),
)
export const documents = part(
  ['documents', 'requests-lists'],
  () => import('./documents/document-pages.tsx'),
  () => import('./documents/loaders.ts'),
)
export const comparison = part(
  ['comparison', 'documents'],
  () => import('./comparison/comparison-page.tsx'),
  () => import('./comparison/loaders.ts'),
)
export const richText = part(
  ['rich-text', 'documents'],
  () => import('./rich-text/rich-text-pages.tsx'),
  () => import('./rich-text/loaders.ts'),
)
export const points = part(
  ['points'],
  () => import('./points/point-pages.tsx'),
  () => import('./points/loaders.ts'),
)
export const routes = part(
  ['routes', 'points', 'requests-lists'],
  () => import('./routes/route-pages.tsx'),
  () => import('./routes/loaders.ts'),
)
export const today = part(
  ['today', 'requests-lists'],
  () => import('./today/today-page.tsx'),
  () => import('./today/loaders.ts'),
)

export const insight = part(
  ['insight'],
  () => import('./insight/insight-page.tsx'),
  () => import('./insight/loaders.ts'),
)

export const classifiers = part(
  ['classifiers'],
  () => import('./classifiers/classifier-pages.tsx'),
  () => import('./classifiers/loaders.ts'),
)
export const registers = part(
  ['registers'],
  () => import('./registers/register-pages.tsx'),
  () => import('./registers/loaders.ts'),
)
export const bulk = part(
  ['bulk', 'registers'],
  () => import('./bulk/bulk-pages.tsx'),
  () => import('./bulk/loaders.ts'),
)
export const options = part(
  ['options'],
  () => import('./options/option-pages.tsx'),
  () => import('./options/loaders.ts'),
)
export const portalLayout = partWithoutData(['portal'], () => import('./portal/portal-layout.tsx'))
export const portalPages = part(
  ['portal', 'identity'],
  () => import('./portal/portal-pages.tsx'),
  () => import('./portal/loaders.ts'),
)
export const campaigns = part(
  ['campaigns', 'requests-sending', 'requests-lists', 'documents'],
  () => import('./campaigns/campaign-pages.tsx'),
  () => import('./campaigns/loaders.ts'),
)
export const memberImport = part(
  ['member-import', 'portal', 'bulk'],
  () => import('./member-import/import-page.tsx'),
  () => import('./member-import/loaders.ts'),
)
export const powers = part(
  ['powers-of-attorney', 'portal'],
  () => import('./powers-of-attorney/powers-page.tsx'),
  () => import('./powers-of-attorney/loaders.ts'),
)
export const retention = part(
  ['retention', 'portal'],
  () => import('./retention/retention-page.tsx'),
  () => import('./retention/loaders.ts'),
)
export const integration = part(
  ['integration', 'portal'],
  () => import('./integration/integration-page.tsx'),
  () => import('./integration/loaders.ts'),
)
export const login = part(
  ['identity'],
  () => import('./identity/login-page.tsx'),
  () => import('./identity/loaders.ts'),
)
export const invitation = part(
  ['identity'],
  () => import('./identity/invitation-page.tsx'),
  () => import('./identity/loaders.ts'),
)
export const operator = part(
  ['operator', 'shell'],
  () => import('./operator/operator-page.tsx'),
  () => import('./operator/loaders.ts'),
)
export const unsubscribe = part(
  ['notifications', 'options'],
  () => import('./notifications/unsubscribe-page.tsx'),
  () => import('./notifications/loaders.ts'),
)
export const mailbox = part(
  ['portal'],
  () => import('./mail/mailbox-page.tsx'),
  () => import('./mail/loaders.ts'),
)
export const developers = partWithoutData(
  ['integration-reference'],
  () => import('./integration/reference/developers-page.tsx'),
)
export const transparency = part(
  ['transparency'],
  () => import('./transparency/log-page.tsx'),
  () => import('./transparency/loaders.ts'),
)
export const help = partWithoutData(['help', 'documents'], () => import('./help/frame-page.tsx'))
export const agreement = partWithoutData(['identity'], () => import('./identity/agreement-page.tsx'))
export const outsider = partWithoutData(
  [...requestTexts, 'identity'],
  () => import('./requests/link/outsider-page.tsx'),
)
