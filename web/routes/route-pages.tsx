/** Signing routes and route templates. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { PageNotFound } from '../ui/states.tsx'
import { useAddress } from '../ui/address.ts'

const paths = ['my', 'public', 'organization'] as const
type Kind = 'routes' | 'routeTemplates'

const addAddress: Record<Kind, string> = {
  routes: '/signaturePointsRoutes/add',
  routeTemplates: '/signaturePointsRouteTemplates/add',
}

export function RoutesPage() {
  return <RouteList kind="routes" />
}

export function RouteTemplatesPage() {
  return <RouteList kind="routeTemplates" />
}

function RouteList({ kind }: { kind: Kind }) {
  const { t } = useTexts('lists')
  const { role, options } = useWorkplace()
  const { params } = useAddress()
  const path = paths.find((p) => p === params.path?.toLowerCase())
  if (!path || (path === 'organization' && role !== 'Owner')) return <PageNotFound />
  return (
    <Page
      title={t(`${kind}.${path}`)}
      action={
        options.allowed.editRoutes && (
          <Button
            leftSection={<PlusIcon size={18} />}
            renderRoot={(props) => <Link to={addAddress[kind]} {...props} />}
          >
            {t(`${kind}.add`)}
          </Button>
        )
      }
    >
      <EmptyList
        id={`${kind}-${path}`}
        label={t(`${kind}.${path}`)}
        text={t(`${kind}.empty`)}
        columns={{
          name: t('routes.columns.name'),
          points: t('routes.columns.points'),
          author: t('routes.columns.author'),
          created: t('routes.columns.created'),
        }}
      />
    </Page>
  )
}

export function RoutePage() {
  return <PageNotFound />
}

export function AddRoutePage() {
  return <AddPage kind="routes" />
}

export function AddRouteTemplatePage() {
  return <AddPage kind="routeTemplates" />
}

function AddPage({ kind }: { kind: Kind }) {
  const { t } = useTexts('lists')
  const { options } = useWorkplace()
  return options.allowed.editRoutes ? <NotOpenYet title={t(`${kind}.add`)} /> : <PageNotFound />
}
