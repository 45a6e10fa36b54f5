/** Signing routes and route templates. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { ListOf } from '../ui/list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { NoData, PageNotFound } from '../ui/states.tsx'
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
      <ListOf
        id={`${kind}-${path}`}
        label={t(`${kind}.${path}`)}
        columns={(['name', 'points', 'author', 'created'] as const).map((key) => ({
          key,
          title: t(`routes.columns.${key}`),
          cell: () => null,
          isFixed: key === 'name',
        }))}
        items={[]}
        totalCount={0}
        rowKey={String}
        empty={<NoData text={t(`${kind}.empty`)} />}
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
