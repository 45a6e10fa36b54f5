/** Every address of the application (SPEC.md section 2). Each page is loaded when it is first opened. */
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
import { loadTexts } from './i18n/language.ts'
import type { Recipient } from './identity/outsider-page.tsx'
import { DefaultLayout } from './shell/layout/default-layout.tsx'
import { EmptyLayout } from './shell/layout/empty-layout.tsx'
import { RouteFailure } from './shell/layout/route-failure.tsx'
import {
  loadSession,
  rememberedOrganization,
  rememberOrganization,
  type Organization,
  type Session,
  type Workplace,
} from './shell/session/session.ts'
import { noteSignedIn } from './shell/session/session-end.ts'
import { searchOf } from './ui/browser/search.ts'
import { displayDelay, Loading } from './ui/page/loading.tsx'
import { PageNotFound } from './ui/page/states.tsx'

/**
 * A component of a module that is loaded when the page is first opened. The return type is stated, lest the types of
 * the pages depend on the tree of routes and the tree on the pages.
 */
function page<M extends object>(load: () => Promise<M>, name: keyof M & string): RouteComponent {
  return lazyRouteComponent(load as () => Promise<Record<string, RouteComponent>>, name)
}

/** A module of pages together with the texts they speak. */
function withTexts<M extends object>(
  namespace: Namespace,
  load: () => Promise<M>,
  ...more: Namespace[]
): () => Promise<M> {
  return async () => (await Promise.all([load(), loadTexts(namespace, ...more)]))[0]
}

/** The session of somebody with an account. An outsider sees what they may do instead, whatever page was asked for. */
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

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  validateSearch: searchOf,
  search: { middlewares: [retainSearchParams(['organizationId'])] },
  component: Outlet,
  notFoundComponent: () => (
    <EmptyLayout>
      <PageNotFound />
    </EmptyLayout>
  ),
})

/** Pages of the signed-in person in one organisation. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: DefaultLayout,
  notFoundComponent: PageNotFound,
  loaderDeps: ({ search }) => ({ organizationId: search.organizationId }),
  // The types of what is loaded are stated: `redirect` knows the whole tree, so they could not be inferred from it.
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
  component: page(
    withTexts('portal', () => import('./portal/portal-layout.tsx')),
    'PortalLayout',
  ),
  notFoundComponent: PageNotFound,
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
  loader: ({ context }) => ({ session: context.session }),
})

function inApp<P extends string>(path: P, component: RouteComponent) {
  return createRoute({ getParentRoute: () => app, path, component })
}

function inEmpty<P extends string>(path: P, component: RouteComponent) {
  return createRoute({ getParentRoute: () => empty, path, component })
}

function inPortal<P extends string>(path: P, component: RouteComponent) {
  return createRoute({ getParentRoute: () => portal, path, component })
}

const inSending = ['requests', 'documents', 'routes', 'points'] as const
const sending = withTexts('requests-sending', () => import('./requests/sending/send-page.tsx'), ...inSending)
const quickSending = withTexts(
  'requests-sending',
  () => import('./requests/sending/quick-page.tsx'),
  ...inSending,
)
const requestLists = withTexts('requests-lists', () => import('./requests/lists/lists-page.tsx'))
const ofRequest = ['requests-lists', 'documents', 'points', 'signatures', 'notifications'] as const
const oneRequest = withTexts('requests', () => import('./requests/page/request-page.tsx'), ...ofRequest)
const requestDoor = withTexts('requests', () => import('./requests/door/request-door.tsx'), ...ofRequest)
const documents = withTexts('documents', () => import('./documents/document-pages.tsx'))
const richText = withTexts('rich-text', () => import('./rich-text/rich-text-pages.tsx'), 'documents')
const points = withTexts('points', () => import('./points/point-pages.tsx'))
const routes = withTexts('routes', () => import('./routes/route-pages.tsx'), 'points')
const classifiers = withTexts('classifiers', () => import('./classifiers/classifier-pages.tsx'))
const options = withTexts('options', () => import('./options/option-pages.tsx'))
const help = withTexts('help', () => import('./help/frame-page.tsx'), 'documents')
const portalPages = withTexts('portal', () => import('./portal/portal-pages.tsx'), 'identity')
const login = withTexts('identity', () => import('./identity/login-page.tsx'))
const agreement = withTexts('identity', () => import('./identity/agreement-page.tsx'))
const invitation = withTexts('identity', () => import('./identity/invitation-page.tsx'))
const outsider = withTexts('identity', () => import('./identity/outsider-page.tsx'))
const operator = withTexts('operator', () => import('./operator/operator-page.tsx'), 'shell')
const unsubscribe = withTexts(
  'notifications',
  () => import('./notifications/unsubscribe-page.tsx'),
  'options',
)
const mailbox = withTexts('portal', () => import('./mail/mailbox-page.tsx'))

const loginRoute = createRoute({
  getParentRoute: () => empty,
  path: 'login',
  component: page(login, 'LoginPage'),
  beforeLoad: async ({ context, search, location }): Promise<{ session: Session }> => {
    const session = await accountSession(context.client, location)
    if (session.organizations.length > 0 && !search.changeAccount) {
      throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, search })
    }
    return { session }
  },
})

/** The home of somebody without an account; whoever has one has nothing to do there. */
const outsiderHome = createRoute({
  getParentRoute: () => empty,
  path: 'outsider',
  component: page(outsider, 'OutsiderPage'),
  beforeLoad: async ({ context }): Promise<{ recipient: Recipient }> => {
    const recipient = await context.client.fetchQuery(query(getRecipient, {}))
    noteSignedIn()
    if (!recipient.isOutsider) {
      throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, replace: true })
    }
    return { recipient }
  },
})

/** For those who run the installation; the page itself says to all others that there is none. */
const operatorRoute = createRoute({
  getParentRoute: () => empty,
  path: 'operator/{-$tab}',
  component: page(operator, 'OperatorPage'),
  beforeLoad: async ({ context, location }): Promise<{ session: Session }> => ({
    session: await accountSession(context.client, location),
  }),
})

/** A list; or a request by its id alone, whichever list it is in. */
const requestsRoute = createRoute({
  getParentRoute: () => app,
  path: 'signingRequests/$route',
  component: page(requestLists, 'RequestsPage'),
  beforeLoad: ({ params, search }): void => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(params.route)) return
    throw redirect({
      to: '/signingRequests/$route/$id',
      params: { route: 'all', id: params.route },
      search,
      replace: true,
    })
  },
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
    inApp('signingRequests/add/{-$id}', page(sending, 'AddRequestPage')),
    inApp('signingRequests/addQuick/{-$id}', page(quickSending, 'QuickSendPage')),
    requestsRoute,
    inApp('signingRequests/$route/$id', page(oneRequest, 'RequestPage')),
    inApp('documents/write/{-$id}', page(richText, 'WritePage')),
    inApp('documents/rewrite/$id', page(richText, 'RewritePage')),
    inApp('documents/$path', page(documents, 'DocumentsPage')),
    inApp('documents/$path/$id', page(documents, 'DocumentPage')),
    inApp('document-templates', page(richText, 'TemplatesPage')),
    inApp('document-templates/$path', page(richText, 'TemplatesPathPage')),
    inApp('document-templates/$path/$id', page(richText, 'TemplatePage')),
    inApp('points/add', page(points, 'AddPointPage')),
    inApp('points/$path', page(points, 'PointsPage')),
    inApp('points/$path/$id', page(points, 'PointPage')),
    inApp('signaturePointsRoutes/add', page(routes, 'AddRoutePage')),
    inApp('signaturePointsRoutes/$path', page(routes, 'RoutesPage')),
    inApp('signaturePointsRoutes/$path/$id', page(routes, 'RoutePage')),
    inApp('signaturePointsRouteTemplates/add', page(routes, 'AddRouteTemplatePage')),
    inApp('signaturePointsRouteTemplates/$path', page(routes, 'RouteTemplatesPage')),
    inApp('signaturePointsRouteTemplates/$path/$id', page(routes, 'RouteTemplatePage')),
    inApp('classificators', page(classifiers, 'ClassifiersPage')),
    inApp('classificators/add', page(classifiers, 'AddClassifierPage')),
    inApp('classificators/$id', page(classifiers, 'ClassifierPage')),
    inApp('options/$name', page(options, 'OptionsPage')),
  ]),
  empty.addChildren([
    loginRoute,
    inEmpty('agreementPage', page(agreement, 'AgreementPage')),
    inEmpty('agreementPage/validateauth', page(agreement, 'AgreementPage')),
    inEmpty('invitations/$token', page(invitation, 'InvitationPage')),
    inEmpty('frame/{-$name}', page(help, 'FramePage')),
    inEmpty('mailbox', page(mailbox, 'MailboxPage')),
    inEmpty('unsubscribe/$token', page(unsubscribe, 'UnsubscribePage')),
    inEmpty('signingRequests/redirect/{-$id}', page(requestDoor, 'RequestDoorPage')),
    operatorRoute,
    outsiderHome,
    outsiderRoute,
  ]),
  portal.addChildren([
    inPortal('/', page(portalPages, 'PortalHome')),
    inPortal('my-groups', page(portalPages, 'MyGroupsPage')),
    inPortal('$organizationId/card', page(portalPages, 'CardPage')),
    inPortal('$organizationId/members', page(portalPages, 'MembersPage')),
    inPortal('$organizationId/invitations', page(portalPages, 'InvitationsPage')),
    inPortal('$organizationId/groups', page(portalPages, 'GroupsPage')),
    inPortal('$organizationId/history', page(portalPages, 'HistoryPage')),
  ]),
])

export function createPages(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    caseSensitive: false,
    defaultPreload: 'intent',
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
