/** Every address of the application. Each page is loaded when it is first opened. */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
  type RouteComponent,
} from '@tanstack/react-router'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { chooseOrganization } from '@kelisim/domain/identity/organization-choice.ts'
import { getRecipient } from '@kelisim/domain/identity/contract.ts'
import type { Namespace } from '@kelisim/texts/resources.ts'
import { ApiError, query } from './api/api.ts'
import { UploadAnywhere } from './documents/upload-anywhere.tsx'
import { loadTexts } from './i18n/language.ts'
import { signedInQuery } from './identity/queries.ts'
import type { Recipient } from './requests/link/outsider-page.tsx'
import { DefaultLayout } from './shell/layout/default-layout.tsx'
import { EmptyLayout } from './shell/layout/empty-layout.tsx'
import { RouteFailure } from './shell/layout/route-failure.tsx'
import {
  loadSession,
  rememberedOrganization,
  rememberOrganization,
  WorkplaceProvider,
  type Organization,
  type Session,
  type Workplace,
} from './shell/session/session.ts'
import type { MemberPageToLoad, PageToLoad, PersonPageToLoad } from './shell/session/page-loading.ts'
import { noteSignedIn } from './shell/session/session-end.ts'
import { searchOf, type Search } from './ui/browser/search.ts'
import { keepDraftsOf } from './ui/form/drafts.ts'
import { displayDelay, Loading } from './ui/page/loading.tsx'
import { PageNotFound } from './ui/page/states.tsx'

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
    /** The explicit type keeps the types of the pages from depending on the route tree, and the tree on the pages. */
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

/** The session of a person with an account. An outsider is redirected to their own page from any address. */
async function accountSession(client: QueryClient, location: { href: string }): Promise<Session> {
  try {
    const session = await loadSession(client)
    noteSignedIn()
    return session
  } catch (error) {
    const isOutsider = error instanceof ApiError && error.alias === 'account-needed'
    throw isOutsider
      ? redirect({ to: '/outsider', search: { returnUri: location.href }, replace: true })
      : error
  }
}

/** Where the person works, on a page that anybody may open; null for everybody else, who are not asked to sign in. */
async function workplaceIfAny(client: QueryClient, asked: string | undefined): Promise<Workplace | null> {
  const signedIn = await client.fetchQuery(signedInQuery()).catch(() => null)
  if (!signedIn || signedIn.isOutsider) return null
  const session = await loadSession(client)
  noteSignedIn()
  const { profile, organizations } = session
  if (!profile.IsAgreementAccepted) return null
  const chosen = chooseOrganization(organizations, asked, rememberedOrganization(profile.Login))
  const organization = organizations.find(({ Id }) => Id === chosen)
  if (!organization) return null
  const options = await client.ensureQueryData(query(getOptions, { organizationId: organization.Id }))
  return { session, organization, options }
}

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  validateSearch: searchOf,
  search: { middlewares: [retainSearchParams(['organizationId'])] },
  component: Outlet,
})

/** Pages of the signed-in person in one organisation. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: AppLayout,
  notFoundComponent: PageNotFound,
  loaderDeps: ({ search }) => ({ organizationId: search.organizationId }),
  // Explicit types: `redirect` knows the whole route tree, so they cannot be inferred.
  beforeLoad: async ({
    context,
    search,
    location,
  }): Promise<{ session: Session; organization: Organization }> => {
    const session = await accountSession(context.client, location)
    const { profile, organizations } = session
    if (!profile.IsAgreementAccepted) {
      throw redirect({ to: '/agreementPage/validateauth', search: { returnUri: location.href } })
    }
    const chosen = chooseOrganization(
      organizations,
      search.organizationId,
      rememberedOrganization(profile.Login),
    )
    if (chosen === null) throw redirect({ to: '/login' })
    rememberOrganization(profile.Login, chosen)
    if (chosen !== search.organizationId) {
      throw redirect({ to: '.', search: { ...search, organizationId: chosen }, replace: true })
    }
    return { session, organization: organizations.find((o) => o.Id === chosen)! }
  },
  loader: async ({ context }): Promise<Workplace> => {
    const { session, organization, client } = context
    const options = await client.ensureQueryData(query(getOptions, { organizationId: organization.Id }))
    return { session, organization, options }
  },
})

function AppLayout() {
  return (
    <WorkplaceProvider value={app.useLoaderData()}>
      <DefaultLayout />
      <UploadAnywhere />
    </WorkplaceProvider>
  )
}

/** Pages that anybody may open: whoever works here keeps the menu, the organisation and their own name. */
const open = createRoute({
  getParentRoute: () => root,
  id: 'open',
  component: OpenLayout,
  loaderDeps: ({ search }) => ({ organizationId: search.organizationId }),
  loader: ({ context, deps }): Promise<Workplace | null> =>
    workplaceIfAny(context.client, deps.organizationId),
})

function OpenLayout() {
  const workplace = open.useLoaderData()
  return workplace ? (
    <WorkplaceProvider value={workplace}>
      <DefaultLayout />
    </WorkplaceProvider>
  ) : (
    <EmptyLayout>
      <Outlet />
    </EmptyLayout>
  )
}

/** Pages without the menu: before an organisation is chosen, or without an account. */
const empty = createRoute({
  getParentRoute: () => root,
  id: 'empty',
  component: () => (
    <EmptyLayout>
      <Outlet />
    </EmptyLayout>
  ),
})

const portal = createRoute({
  getParentRoute: () => root,
  path: 'portal',
  component: partWithoutData(['portal'], () => import('./portal/portal-layout.tsx')).page('PortalLayout'),
  notFoundComponent: PageNotFound,
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
  loader: ({ context }) => ({ session: context.session }),
})

/** Loaders depend on the search of the address, which holds the filters, sorting and paging of lists. */
const loaderDeps = ({ search }: { search: Search }) => ({ search })

function inApp<P extends string>(
  path: P,
  component: RouteComponent,
  load?: (page: MemberPageToLoad) => void,
) {
  return createRoute({
    getParentRoute: () => app,
    path,
    component,
    loaderDeps,
    loader: ({ context, params, deps }): void => load?.({ ...context, params, search: deps.search }),
  })
}

function inEmpty<P extends string>(path: P, component: RouteComponent, load?: (page: PageToLoad) => void) {
  return createRoute({
    getParentRoute: () => empty,
    path,
    component,
    loaderDeps,
    loader: ({ context, params, deps }): void => load?.({ ...context, params, search: deps.search }),
  })
}

function inOpen<P extends string>(path: P, component: RouteComponent, load?: (page: PageToLoad) => void) {
  return createRoute({
    getParentRoute: () => open,
    path,
    component,
    loaderDeps,
    loader: ({ context, params, deps }): void => load?.({ ...context, params, search: deps.search }),
  })
}

function inPortal<P extends string>(
  path: P,
  component: RouteComponent,
  load?: (page: PersonPageToLoad) => void,
) {
  return createRoute({
    getParentRoute: () => portal,
    path,
    component,
    loaderDeps,
    loader: ({ context, params, deps }): void => load?.({ ...context, params, search: deps.search }),
  })
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

const sending = part(
  sendingTexts,
  () => import('./requests/sending/send-page.tsx'),
  () => import('./requests/sending/loaders.ts'),
)
const quickSending = part(
  sendingTexts,
  () => import('./requests/sending/quick-page.tsx'),
  () => import('./requests/sending/loaders.ts'),
)
const packageSending = part(
  [...sendingTexts, 'requests-packages'],
  () => import('./requests/packages/package-page.tsx'),
  () => import('./requests/packages/loaders.ts'),
)
const requestLists = part(
  ['requests-lists'],
  () => import('./requests/lists/lists-page.tsx'),
  () => import('./requests/lists/loaders.ts'),
)
const oneRequest = part(
  requestTexts,
  () => import('./requests/page/request-page.tsx'),
  () => import('./requests/page/loaders.ts'),
)
const queue = part(
  requestTexts,
  () => import('./requests/queue/queue-page.tsx'),
  () => import('./requests/queue/loaders.ts'),
)
const requestLink = part(
  requestTexts,
  () => import('./requests/link/request-link-page.tsx'),
  () => import('./requests/link/loaders.ts'),
)
const documents = part(
  ['documents', 'requests-lists'],
  () => import('./documents/document-pages.tsx'),
  () => import('./documents/loaders.ts'),
)
const comparison = part(
  ['comparison', 'documents'],
  () => import('./comparison/comparison-page.tsx'),
  () => import('./comparison/loaders.ts'),
)
const richText = part(
  ['rich-text', 'documents'],
  () => import('./rich-text/rich-text-pages.tsx'),
  () => import('./rich-text/loaders.ts'),
)
const points = part(
  ['points'],
  () => import('./points/point-pages.tsx'),
  () => import('./points/loaders.ts'),
)
const routes = part(
  ['routes', 'points', 'requests-lists'],
  () => import('./routes/route-pages.tsx'),
  () => import('./routes/loaders.ts'),
)
const today = part(
  ['today', 'requests-lists'],
  () => import('./today/today-page.tsx'),
  () => import('./today/loaders.ts'),
)

const insight = part(
  ['insight'],
  () => import('./insight/insight-page.tsx'),
  () => import('./insight/loaders.ts'),
)

const classifiers = part(
  ['classifiers'],
  () => import('./classifiers/classifier-pages.tsx'),
  () => import('./classifiers/loaders.ts'),
)
const registers = part(
  ['registers'],
  () => import('./registers/register-pages.tsx'),
  () => import('./registers/loaders.ts'),
)
const bulk = part(
  ['bulk', 'registers'],
  () => import('./bulk/bulk-pages.tsx'),
  () => import('./bulk/loaders.ts'),
)
const options = part(
  ['options'],
  () => import('./options/option-pages.tsx'),
  () => import('./options/loaders.ts'),
)
const portalPages = part(
  ['portal', 'identity'],
  () => import('./portal/portal-pages.tsx'),
  () => import('./portal/loaders.ts'),
)
const campaigns = part(
  ['campaigns', 'requests-sending', 'requests-lists', 'documents'],
  () => import('./campaigns/campaign-pages.tsx'),
  () => import('./campaigns/loaders.ts'),
)
const memberImport = part(
  ['member-import', 'portal', 'bulk'],
  () => import('./member-import/import-page.tsx'),
  () => import('./member-import/loaders.ts'),
)
const powers = part(
  ['powers-of-attorney', 'portal'],
  () => import('./powers-of-attorney/powers-page.tsx'),
  () => import('./powers-of-attorney/loaders.ts'),
)
const retention = part(
  ['retention', 'portal'],
  () => import('./retention/retention-page.tsx'),
  () => import('./retention/loaders.ts'),
)
const integration = part(
  ['integration', 'portal'],
  () => import('./integration/integration-page.tsx'),
  () => import('./integration/loaders.ts'),
)
const login = part(
  ['identity'],
  () => import('./identity/login-page.tsx'),
  () => import('./identity/loaders.ts'),
)
const invitation = part(
  ['identity'],
  () => import('./identity/invitation-page.tsx'),
  () => import('./identity/loaders.ts'),
)
const operator = part(
  ['operator', 'shell'],
  () => import('./operator/operator-page.tsx'),
  () => import('./operator/loaders.ts'),
)
const unsubscribe = part(
  ['notifications', 'options'],
  () => import('./notifications/unsubscribe-page.tsx'),
  () => import('./notifications/loaders.ts'),
)
const mailbox = part(
  ['portal'],
  () => import('./mail/mailbox-page.tsx'),
  () => import('./mail/loaders.ts'),
)
const developers = partWithoutData(
  ['integration-reference'],
  () => import('./integration/reference/developers-page.tsx'),
)
const transparency = part(
  ['transparency'],
  () => import('./transparency/log-page.tsx'),
  () => import('./transparency/loaders.ts'),
)
const help = partWithoutData(['help', 'documents'], () => import('./help/frame-page.tsx'))
const agreement = partWithoutData(['identity'], () => import('./identity/agreement-page.tsx'))
const outsider = partWithoutData(
  [...requestTexts, 'identity'],
  () => import('./requests/link/outsider-page.tsx'),
)

const loginRoute = createRoute({
  getParentRoute: () => empty,
  path: 'login',
  component: login.page('LoginPage'),
  beforeLoad: async ({ context, search, location }): Promise<{ session: Session }> => {
    const session = await accountSession(context.client, location)
    if (session.organizations.length > 0 && !search.changeAccount) {
      throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, search })
    }
    return { session }
  },
  loader: ({ context, params }): void => login.loader('loadLogin')({ ...context, params, search: {} }),
})

/** The home page of people without an account; everybody else is redirected. */
const outsiderHome = createRoute({
  getParentRoute: () => empty,
  path: 'outsider',
  component: outsider.page('OutsiderPage'),
  beforeLoad: async ({ context }): Promise<{ recipient: Recipient }> => {
    const recipient = await context.client.fetchQuery(query(getRecipient, {}))
    if (recipient.isOutsider) keepDraftsOf(`${recipient.iin} ${recipient.bin ?? ''}`)
    noteSignedIn()
    if (!recipient.isOutsider) {
      throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, replace: true })
    }
    return { recipient }
  },
})

/** For operators; the page itself shows "not found" to everybody else. */
const operatorRoute = createRoute({
  getParentRoute: () => open,
  path: 'operator/{-$tab}',
  component: operator.page('OperatorPage'),
  loaderDeps,
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
  loader: ({ context, params, deps }): void =>
    operator.loader('loadOperator')({ ...context, params, search: deps.search }),
})

/** A list; an id instead of its name redirects to the request. */
const requestsRoute = createRoute({
  getParentRoute: () => app,
  path: 'signingRequests/$route',
  component: requestLists.page('RequestsPage'),
  loaderDeps,
  beforeLoad: ({ params, search }): void => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(params.route)) return
    throw redirect({
      to: '/signingRequests/$route/$id',
      params: { route: 'all', id: params.route },
      search,
      replace: true,
    })
  },
  loader: ({ context, params, deps }): void =>
    requestLists.loader('loadRequests')({ ...context, params, search: deps.search }),
})

/** The old address of a request for somebody without an account. */
const outsiderRoute = createRoute({
  getParentRoute: () => empty,
  path: 'signingRequests/outsider/$id',
  beforeLoad: ({ params, search }): never => {
    throw redirect({
      to: '/signingRequests/redirect/{-$id}',
      params: { id: params.id },
      search,
      replace: true,
    })
  },
})

const tree = root.addChildren([
  app.addChildren([
    inApp('signingRequests/add/{-$id}', sending.page('AddRequestPage'), sending.loader('loadSending')),
    inApp(
      'signingRequests/addQuick/{-$id}',
      quickSending.page('QuickSendPage'),
      quickSending.loader('loadQuickSending'),
    ),
    inApp(
      'signingRequests/addPackage',
      packageSending.page('AddPackagePage'),
      packageSending.loader('loadPackageSending'),
    ),
    inApp('signingRequests/queue', queue.page('QueuePage'), queue.loader('loadQueue')),
    requestsRoute,
    inApp('signingRequests/$route/$id', oneRequest.page('RequestPage'), oneRequest.loader('loadRequest')),
    inApp('documents/write/{-$id}', richText.page('WritePage'), richText.loader('loadTemplate')),
    inApp('documents/rewrite/$id', richText.page('RewritePage'), richText.loader('loadRewriting')),
    inApp('documents/$path', documents.page('DocumentsPage'), documents.loader('loadDocuments')),
    inApp('documents/$path/$id', documents.page('DocumentPage'), documents.loader('loadDocument')),
    inApp('document-templates', richText.page('TemplatesPage'), richText.loader('loadTemplates')),
    inApp('document-templates/$path', richText.page('TemplatesPathPage'), richText.loader('loadTemplates')),
    inApp('document-templates/$path/$id', richText.page('TemplatePage'), richText.loader('loadTemplate')),
    inApp('points/add', points.page('AddPointPage')),
    inApp('points/$path', points.page('PointsPage'), points.loader('loadPoints')),
    inApp('points/$path/$id', points.page('PointPage'), points.loader('loadPoint')),
    inApp('signaturePointsRoutes/add', routes.page('AddRoutePage')),
    inApp('signaturePointsRoutes/$path', routes.page('RoutesPage'), routes.loader('loadRoutes')),
    inApp('signaturePointsRoutes/$path/$id', routes.page('RoutePage'), routes.loader('loadRoute')),
    inApp('signaturePointsRouteTemplates/add', routes.page('AddRouteTemplatePage')),
    inApp(
      'signaturePointsRouteTemplates/$path',
      routes.page('RouteTemplatesPage'),
      routes.loader('loadRouteTemplates'),
    ),
    inApp(
      'signaturePointsRouteTemplates/$path/$id',
      routes.page('RouteTemplatePage'),
      routes.loader('loadRouteTemplate'),
    ),
    inApp('today', today.page('TodayPage'), today.loader('loadToday')),
    inApp('insight', insight.page('InsightPage'), insight.loader('loadInsight')),
    inApp('classificators', classifiers.page('ClassifiersPage'), classifiers.loader('loadClassifiers')),
    inApp('classificators/add', classifiers.page('AddClassifierPage')),
    inApp('classificators/$id', classifiers.page('ClassifierPage'), classifiers.loader('loadClassifier')),
    inApp('journals', registers.page('JournalsPage'), registers.loader('loadJournals')),
    inApp('journals/kinds', registers.page('KindsPage'), registers.loader('loadKinds')),
    inApp('journals/$id', registers.page('EntriesPage'), registers.loader('loadJournals')),
    inApp('bulk', bulk.page('BulksPage'), bulk.loader('loadBulks')),
    inApp('bulk/$id', bulk.page('BulkPage'), bulk.loader('loadBulk')),
    inApp('campaigns', campaigns.page('CampaignsPage'), campaigns.loader('loadCampaigns')),
    inApp('campaigns/add/{-$id}', campaigns.page('AddCampaignPage'), campaigns.loader('loadAddCampaign')),
    inApp('campaigns/$id', campaigns.page('CampaignPage'), campaigns.loader('loadCampaign')),
    inApp('options/{-$name}', options.page('OptionsPage'), options.loader('loadOptions')),
  ]),
  empty.addChildren([
    loginRoute,
    inEmpty('agreementPage', agreement.page('AgreementPage')),
    inEmpty('agreementPage/validateauth', agreement.page('AgreementPage')),
    inEmpty('invitations/$token', invitation.page('InvitationPage'), invitation.loader('loadInvitation')),
    inEmpty('mailbox', mailbox.page('MailboxPage'), mailbox.loader('loadMailbox')),
    inEmpty('unsubscribe/$token', unsubscribe.page('UnsubscribePage'), unsubscribe.loader('loadUnsubscribe')),
    inEmpty(
      'signingRequests/redirect/{-$id}',
      requestLink.page('RequestLinkPage'),
      requestLink.loader('loadRequestLink'),
    ),
    outsiderHome,
    outsiderRoute,
  ]),
  open.addChildren([
    inOpen('frame/{-$name}', help.page('FramePage')),
    // People without an account compare what a request that was sent to them had.
    inOpen('documents/compare', comparison.page('ComparisonPage'), comparison.loader('loadComparison')),
    inOpen('developers', developers.page('DevelopersPage')),
    inOpen('log', transparency.page('LogPage'), transparency.loader('loadLog')),
    operatorRoute,
    inOpen('$', PageNotFound),
  ]),
  portal.addChildren([
    inPortal('/', portalPages.page('PortalHome')),
    inPortal('my-groups', portalPages.page('MyGroupsPage'), portalPages.loader('loadMyGroups')),
    inPortal('$organizationId/card', portalPages.page('CardPage'), portalPages.loader('loadCard')),
    inPortal('$organizationId/members', portalPages.page('MembersPage'), portalPages.loader('loadMembers')),
    inPortal(
      '$organizationId/invitations',
      portalPages.page('InvitationsPage'),
      portalPages.loader('loadInvitations'),
    ),
    inPortal(
      '$organizationId/invitations/table',
      memberImport.page('ImportPage'),
      memberImport.loader('loadImport'),
    ),
    inPortal('$organizationId/groups', portalPages.page('GroupsPage'), portalPages.loader('loadGroups')),
    inPortal('$organizationId/powers', powers.page('PowersPage'), powers.loader('loadPowers')),
    inPortal('$organizationId/retention', retention.page('RetentionPage'), retention.loader('loadRetention')),
    inPortal(
      '$organizationId/integration',
      integration.page('IntegrationPage'),
      integration.loader('loadIntegration'),
    ),
    inPortal('$organizationId/history', portalPages.page('HistoryPage'), portalPages.loader('loadHistory')),
  ]),
])

export function createPages(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    caseSensitive: false,
    defaultPreload: 'intent',
    // The query client caches the data and knows how long it is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: displayDelay,
    defaultPendingComponent: Loading,
    defaultErrorComponent: RouteFailure,
    defaultNotFoundComponent: PageNotFound,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>
  }
}
