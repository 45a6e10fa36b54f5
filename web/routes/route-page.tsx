/** The page of one route or template, read-only for people who may not change it; and the page of a new one. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import { clearDirty } from '../ui/form/dirty.ts'
import { Badge } from '../ui/look/badge.tsx'
import { Facts } from '../ui/page/facts.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import { RehearsalCard, useRehearsal } from './editor/rehearsal.tsx'
import { RouteActs } from './route-acts.tsx'
import { RouteForm } from './route-form.tsx'
import { addresses, scopeNameOf, valuesOf, type RouteView } from './editor/route-view.ts'
import classes from './editor/routes.module.css'
import { StepsList } from './editor/steps-editor.tsx'
import { routeQuery } from './queries.ts'
import { WhereRouteUsed } from './where-route-used.tsx'

export function AddRoute({ kind }: { kind: RouteKind }) {
  const { t } = useTexts('routes')
  const navigate = useNavigate()
  return (
    <Page title={t(`add.${kind}`)} lead={t(`leads.${kind}`)}>
      <RouteForm
        key={kind}
        kind={kind}
        route={null}
        onSaved={async ({ id }) => {
          clearDirty() // saved: there is nothing to lose
          await navigate({ to: `${addresses[kind]}/$path/$id`, params: { path: 'my', id }, replace: true })
        }}
      />
    </Page>
  )
}

/** The address may hold the id alone, without the list from which the route was opened. */
export function OneRoute({ kind }: { kind: RouteKind }) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const { path, id } = useAddress().params
  const routeId = idOf(id ?? path)
  const {
    data: route,
    error,
    refetch,
  } = useQuery({ ...routeQuery(kind, organization.Id, routeId ?? ''), enabled: routeId !== undefined })
  if (routeId === undefined || error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!route) return <LoadingLines />
  return (
    <Page
      title={route.name}
      {...(!route.isActive && { note: <Badge tone="off">{t('inactive')}</Badge> })}
      action={
        <span className={classes.acts}>
          <RouteActs kind={kind} route={route} />
        </span>
      }
    >
      <p className={classes.about}>
        {route.author.fullName} · {formatDate(route.createdAt)}
        <FromTemplate route={route} />
      </p>
      {!route.isActive && <p className={classes.banner}>{t(`inactiveHelp.${kind}`)}</p>}
      {/* The key resets the form when another route is shown. */}
      {route.allowed.edit ? (
        <RouteForm key={route.id} kind={kind} route={route} />
      ) : (
        <RouteFacts key={route.id} kind={kind} route={route} />
      )}
    </Page>
  )
}

/** Names the template of the route, if the person can still see the template. */
function FromTemplate({ route: { templateId } }: { route: RouteView }) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const { data: template } = useQuery({
    ...routeQuery('template', organization.Id, templateId ?? ''),
    enabled: templateId !== null,
    retry: false,
  })
  if (!template) return null
  return (
    <>
      {' · '}
      {t('fromTemplate')}{' '}
      <Link to="/signaturePointsRouteTemplates/$path/$id" params={{ path: 'public', id: template.id }}>
        {template.name}
      </Link>
    </>
  )
}

function RouteFacts({ kind, route }: { kind: RouteKind; route: RouteView }) {
  const { t } = useTexts('routes')
  const { organization } = useWorkplace()
  const values = valuesOf(route, organization.Id)
  const { rehearsal } = useRehearsal(values)
  return (
    <WithAside
      aside={
        <>
          <RehearsalCard rehearsal={rehearsal} />
          <WhereRouteUsed kind={kind} id={route.id} />
        </>
      }
    >
      <Card title={t(`form.main.${kind}`)}>
        <Facts
          layout="stacked"
          rows={[
            [t('form.description'), route.description || t('points:facts.none')],
            [t('form.scope'), t(`scopes.${scopeNameOf(route.visibilityScope)}`)],
          ]}
        />
      </Card>
      <Card title={t('form.steps')}>
        <StepsList steps={values.steps} faults={route.faults} />
      </Card>
    </WithAside>
  )
}
