/** Signing routes and route templates. */
import { foundCountLimit, Id } from '@kelisim/domain/fields.ts'
import { defaultRouteSort, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import { Badge } from '../ui/look/badge.tsx'
import { CopyIcon, PlusIcon, TrashIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { AddLink } from '../ui/list/add-link.tsx'
import { List } from '../ui/list/list.tsx'
import { Page } from '../ui/page/page.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData, PageNotFound } from '../ui/page/states.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeleteRouteDialog, MakeDialog } from './route-acts.tsx'
import { AddRoute, OneRoute } from './route-page.tsx'
import { actsInRoute, addresses, scopeNameOf, type RouteRow } from './editor/route-view.ts'
import classes from './editor/routes.module.css'
import { routesPathOf, routesQuery, type RoutesPath } from './queries.ts'

export function RoutesPage() {
  return <Lists kind="route" />
}

export function RouteTemplatesPage() {
  return <Lists kind="template" />
}

export function RoutePage() {
  return <OneRoute kind="route" />
}

export function RouteTemplatePage() {
  return <OneRoute kind="template" />
}

export function AddRoutePage() {
  return <AddRoute kind="route" />
}

export function AddRouteTemplatePage() {
  return <AddRoute kind="template" />
}

function Lists({ kind }: { kind: RouteKind }) {
  const { params } = useAddress()
  const path = routesPathOf(params.path)
  if (!path && Id.safeParse(params.path).success) return <OneRoute kind={kind} />
  if (!path) return <PageNotFound />
  // The key resets the page when another list is shown.
  return <Routes key={kind + path} kind={kind} path={path} />
}

function Routes({ kind, path }: { kind: RouteKind; path: RoutesPath }) {
  const { t } = useTexts('routes')
  const { organization, options } = useWorkplace()
  const position = useListSearch()
  const deleting = useDialog<RouteRow>()
  const making = useDialog<{ row: RouteRow; makes: RouteKind }>()
  const add = options.allowed.editRoutes && (
    <AddLink link={{ to: `${addresses[kind]}/add` }}>{t(`add.${kind}`)}</AddLink>
  )
  const title = t(`titles.${kind}.${path}`)
  return (
    <Page title={title} action={add}>
      <List
        id={`${kind}s-${path}`}
        label={title}
        source={routesQuery(kind, organization.Id, path, position)}
        columns={useColumns(path)}
        rowKey={({ id }) => id}
        hasSearch
        {...(position.name && { countedUpTo: foundCountLimit })}
        searchLabel={t('search')}
        defaultSort={defaultRouteSort}
        linkOf={({ id }) => ({ to: `${addresses[kind]}/$path/$id`, params: { path, id } })}
        actions={useRowActions(kind, making.open, deleting.open)}
        empty={<NoData text={t(add ? `empty.${kind}` : `emptyToRead.${kind}`)}>{add}</NoData>}
      />
      <MakeDialog kind={kind} {...making} />
      <DeleteRouteDialog
        kind={kind}
        isOpen={deleting.isOpen}
        route={deleting.subject}
        onClose={deleting.close}
      />
    </Page>
  )
}

function useRowActions(
  kind: RouteKind,
  onMake: (making: { row: RouteRow; makes: RouteKind }) => void,
  onDelete: (row: RouteRow) => void,
) {
  const { t } = useTexts('routes')
  return (row: RouteRow) => (
    <>
      {kind === 'template' && row.allowed.copy && row.isActive && (
        <RowAction
          label={t('rows.createRoute', { name: row.name })}
          onClick={() => onMake({ row, makes: 'route' })}
        >
          <PlusIcon />
        </RowAction>
      )}
      {row.allowed.copy && (
        <RowAction label={t('rows.copy', { name: row.name })} onClick={() => onMake({ row, makes: kind })}>
          <CopyIcon />
        </RowAction>
      )}
      {row.allowed.delete && (
        <RowAction label={t('rows.delete', { name: row.name })} isDangerous onClick={() => onDelete(row)}>
          <TrashIcon />
        </RowAction>
      )}
    </>
  )
}

function useColumns(path: RoutesPath): Column<RouteRow>[] {
  const { t } = useTexts('routes')
  const author: Column<RouteRow> = {
    key: 'author',
    title: t('columns.author'),
    card: 'fact',
    cell: ({ author: { fullName } }) => fullName,
  }
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      isSortable: true,
      width: '32%',
      card: 'title',
      cell: ({ name, description, isActive }) => (
        <span className={classes.name}>
          {name} {!isActive && <Badge tone="off">{t('inactive')}</Badge>}
          {description && <small>{description}</small>}
        </span>
      ),
    },
    {
      key: 'points',
      title: t('columns.points'),
      card: 'status',
      cell: (route) => (
        <span className={classes.name}>
          {t('columns.steps', { count: route.turnsCount })},{' '}
          {t('columns.pointCount', { count: route.pointsCount })}
          <small>
            {actsInRoute(route)
              .map((act) => t(`acts.${act}`))
              .join(', ')}
          </small>
        </span>
      ),
    },
    {
      key: 'scope',
      title: t('columns.scope'),
      width: 104,
      card: 'progress',
      isSpare: true,
      cell: ({ visibilityScope }) => t(`scopes.${scopeNameOf(visibilityScope)}`),
    },
    ...(path === 'my' ? [] : [author]),
    {
      key: 'created',
      title: t('columns.created'),
      width: 116,
      isSortable: true,
      card: 'date',
      cell: ({ createdAt }) => formatDate(createdAt),
    },
  ]
}
