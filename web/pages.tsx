/** Every address of the application. Each page is loaded when it is first opened. */
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
  type RouteComponent,
} from '@tanstack/react-router'
import { isId } from '@kelisim/domain/ids.ts'
import { UploadAnywhere } from './documents/upload-anywhere.tsx'
import * as parts from './page-parts.ts'
import {
  accountSession,
  loadWorkplace,
  memberSession,
  outsiderSession,
  workplaceIfAny,
} from './route-guards.ts'
import { DefaultLayout } from './shell/layout/default-layout.tsx'
import { EmptyLayout } from './shell/layout/empty-layout.tsx'
import { RouteFailure } from './shell/layout/route-failure.tsx'
import type { MemberPageToLoad, PageToLoad, PersonPageToLoad } from './shell/session/page-loading.ts'
import { WorkplaceProvider, type Session } from './shell/session/session.ts'
import { parseSearch, searchOf, stringifySearch, type Search } from './ui/browser/search.ts'
import { displayDelay, Loading } from './ui/page/loading.tsx'
import { PageNotFound } from './ui/page/states.tsx'

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
  beforeLoad: ({ context, search, location }) => memberSession(context.client, search, location),
  loader: ({ context }) => loadWorkplace(context.client, context.session, context.organization),
})

function AppLayout() {
  return (
    <WorkplaceProvider value={app.useLoaderData()}>
      <DefaultLayout />
      <UploadAnywhere />
    </WorkplaceProvider>
  )
}

/** Pages that anybody may open; members still see the menu, their organisation and their name. */
const open = createRoute({
  getParentRoute: () => root,
  id: 'open',
  component: OpenLayout,
  loaderDeps: ({ search }) => ({ organizationId: search.organizationId }),
  loader: ({ context, deps }) => workplaceIfAny(context.client, deps.organizationId),
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
  component: parts.portalLayout.page('PortalLayout'),
  notFoundComponent: PageNotFound,
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
  loader: ({ context }) => ({ session: context.session }),
})

/**
 * Loaders depend on the search of the address, which holds the filters, sorting and paging of lists. The router passes
 * what `validateSearch` has dropped, too.
 */
const loaderDeps = ({ search }: { search: Search }) => ({ search: searchOf(search) })

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

const loginRoute = createRoute({
  getParentRoute: () => empty,
  path: 'login',
  component: parts.login.page('LoginPage'),
  beforeLoad: async ({ context, search, location }): Promise<{ session: Session }> => {
    const session = await accountSession(context.client, location)
    if (session.organizations.length > 0 && !search.changeAccount) {
      throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, search })
    }
    return { session }
  },
  loader: ({ context, params }): void => parts.login.loader('loadLogin')({ ...context, params, search: {} }),
})

/** The home page of people without an account; everybody else is redirected. */
const outsiderHome = createRoute({
  getParentRoute: () => empty,
  path: 'outsider',
  component: parts.outsider.page('OutsiderPage'),
  beforeLoad: ({ context }) => outsiderSession(context.client),
})

/** For operators; the page itself shows "not found" to everybody else. */
const operatorRoute = createRoute({
  getParentRoute: () => open,
  path: 'operator/{-$tab}',
  component: parts.operator.page('OperatorPage'),
  loaderDeps,
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
  loader: ({ context, params, deps }): void =>
    parts.operator.loader('loadOperator')({ ...context, params, search: deps.search }),
})

/** A list of requests; an address with an id instead of the name of a list redirects to the request. */
const requestsRoute = createRoute({
  getParentRoute: () => app,
  path: 'signingRequests/$route',
  component: parts.requestLists.page('RequestsPage'),
  loaderDeps,
  beforeLoad: ({ params, search }): void => {
    if (!isId(params.route)) return
    throw redirect({
      to: '/signingRequests/$route/$id',
      params: { route: 'all', id: params.route },
      search,
      replace: true,
    })
  },
  loader: ({ context, params, deps }): void =>
    parts.requestLists.loader('loadRequests')({ ...context, params, search: deps.search }),
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
    inApp(
      'signingRequests/add/{-$id}',
      parts.sending.page('AddRequestPage'),
      parts.sending.loader('loadSending'),
    ),
    inApp(
      'signingRequests/addQuick/{-$id}',
      parts.quickSending.page('QuickSendPage'),
      parts.quickSending.loader('loadQuickSending'),
    ),
    inApp(
      'signingRequests/addPackage',
      parts.packageSending.page('AddPackagePage'),
      parts.packageSending.loader('loadPackageSending'),
    ),
    inApp('signingRequests/queue', parts.queue.page('QueuePage'), parts.queue.loader('loadQueue')),
    requestsRoute,
    inApp(
      'signingRequests/$route/$id',
      parts.oneRequest.page('RequestPage'),
      parts.oneRequest.loader('loadRequest'),
    ),
    inApp('documents/write/{-$id}', parts.richText.page('WritePage'), parts.richText.loader('loadTemplate')),
    inApp(
      'documents/rewrite/$id',
      parts.richText.page('RewritePage'),
      parts.richText.loader('loadRewriting'),
    ),
    inApp('documents/$path', parts.documents.page('DocumentsPage'), parts.documents.loader('loadDocuments')),
    inApp(
      'documents/$path/$id',
      parts.documents.page('DocumentPage'),
      parts.documents.loader('loadDocument'),
    ),
    inApp('document-templates', parts.richText.page('TemplatesPage'), parts.richText.loader('loadTemplates')),
    inApp(
      'document-templates/$path',
      parts.richText.page('TemplatesPathPage'),
      parts.richText.loader('loadTemplates'),
    ),
    inApp(
      'document-templates/$path/$id',
      parts.richText.page('TemplatePage'),
      parts.richText.loader('loadTemplate'),
    ),
    inApp('points/add', parts.points.page('AddPointPage')),
    inApp('points/$path', parts.points.page('PointsPage'), parts.points.loader('loadPoints')),
    inApp('points/$path/$id', parts.points.page('PointPage'), parts.points.loader('loadPoint')),
    inApp('signaturePointsRoutes/add', parts.routes.page('AddRoutePage')),
    inApp('signaturePointsRoutes/$path', parts.routes.page('RoutesPage'), parts.routes.loader('loadRoutes')),
    inApp(
      'signaturePointsRoutes/$path/$id',
      parts.routes.page('RoutePage'),
      parts.routes.loader('loadRoute'),
    ),
    inApp('signaturePointsRouteTemplates/add', parts.routes.page('AddRouteTemplatePage')),
    inApp(
      'signaturePointsRouteTemplates/$path',
      parts.routes.page('RouteTemplatesPage'),
      parts.routes.loader('loadRouteTemplates'),
    ),
    inApp(
      'signaturePointsRouteTemplates/$path/$id',
      parts.routes.page('RouteTemplatePage'),
      parts.routes.loader('loadRouteTemplate'),
    ),
    inApp('today', parts.today.page('TodayPage'), parts.today.loader('loadToday')),
    inApp('insight', parts.insight.page('InsightPage'), parts.insight.loader('loadInsight')),
    inApp(
      'classificators',
      parts.classifiers.page('ClassifiersPage'),
      parts.classifiers.loader('loadClassifiers'),
    ),
    inApp('classificators/add', parts.classifiers.page('AddClassifierPage')),
    inApp(
      'classificators/$id',
      parts.classifiers.page('ClassifierPage'),
      parts.classifiers.loader('loadClassifier'),
    ),
    inApp('journals', parts.registers.page('JournalsPage'), parts.registers.loader('loadJournals')),
    inApp('journals/kinds', parts.registers.page('KindsPage'), parts.registers.loader('loadKinds')),
    inApp('journals/$id', parts.registers.page('EntriesPage'), parts.registers.loader('loadEntries')),
    inApp('bulk', parts.bulk.page('BulksPage'), parts.bulk.loader('loadBulks')),
    inApp('bulk/$id', parts.bulk.page('BulkPage'), parts.bulk.loader('loadBulk')),
    inApp('campaigns', parts.campaigns.page('CampaignsPage'), parts.campaigns.loader('loadCampaigns')),
    inApp(
      'campaigns/add/{-$id}',
      parts.campaigns.page('AddCampaignPage'),
      parts.campaigns.loader('loadAddCampaign'),
    ),
    inApp('campaigns/$id', parts.campaigns.page('CampaignPage'), parts.campaigns.loader('loadCampaign')),
    inApp('options/{-$name}', parts.options.page('OptionsPage'), parts.options.loader('loadOptions')),
  ]),
  empty.addChildren([
    loginRoute,
    inEmpty('agreementPage', parts.agreement.page('AgreementPage')),
    inEmpty('agreementPage/validateauth', parts.agreement.page('AgreementPage')),
    inEmpty(
      'invitations/$token',
      parts.invitation.page('InvitationPage'),
      parts.invitation.loader('loadInvitation'),
    ),
    inEmpty('mailbox', parts.mailbox.page('MailboxPage'), parts.mailbox.loader('loadMailbox')),
    inEmpty(
      'unsubscribe/$token',
      parts.unsubscribe.page('UnsubscribePage'),
      parts.unsubscribe.loader('loadUnsubscribe'),
    ),
    inEmpty(
      'signingRequests/redirect/{-$id}',
      parts.requestLink.page('RequestLinkPage'),
      parts.requestLink.loader('loadRequestLink'),
    ),
    outsiderHome,
    outsiderRoute,
  ]),
  open.addChildren([
    inOpen('frame/{-$name}', parts.help.page('FramePage')),
    // Open to all, because people without an account compare the documents of a request that was sent to them.
    inOpen(
      'documents/compare',
      parts.comparison.page('ComparisonPage'),
      parts.comparison.loader('loadComparison'),
    ),
    inOpen('developers', parts.developers.page('DevelopersPage')),
    inOpen('log', parts.transparency.page('LogPage'), parts.transparency.loader('loadLog')),
    operatorRoute,
    inOpen('$', PageNotFound),
  ]),
  portal.addChildren([
    inPortal('/', parts.portalPages.page('PortalHome')),
    inPortal('my-groups', parts.portalPages.page('MyGroupsPage'), parts.portalPages.loader('loadMyGroups')),
    inPortal(
      '$organizationId/card',
      parts.portalPages.page('CardPage'),
      parts.portalPages.loader('loadCard'),
    ),
    inPortal(
      '$organizationId/members',
      parts.portalPages.page('MembersPage'),
      parts.portalPages.loader('loadMembers'),
    ),
    inPortal(
      '$organizationId/invitations',
      parts.portalPages.page('InvitationsPage'),
      parts.portalPages.loader('loadInvitations'),
    ),
    inPortal(
      '$organizationId/invitations/table',
      parts.memberImport.page('ImportPage'),
      parts.memberImport.loader('loadImport'),
    ),
    inPortal(
      '$organizationId/groups',
      parts.portalPages.page('GroupsPage'),
      parts.portalPages.loader('loadGroups'),
    ),
    inPortal('$organizationId/powers', parts.powers.page('PowersPage'), parts.powers.loader('loadPowers')),
    inPortal(
      '$organizationId/retention',
      parts.retention.page('RetentionPage'),
      parts.retention.loader('loadRetention'),
    ),
    inPortal(
      '$organizationId/integration',
      parts.integration.page('IntegrationPage'),
      parts.integration.loader('loadIntegration'),
    ),
    inPortal(
      '$organizationId/history',
      parts.portalPages.page('HistoryPage'),
      parts.portalPages.loader('loadHistory'),
    ),
  ]),
])

export function createPages(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    parseSearch,
    stringifySearch,
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
