/** Points: the steps that routes are made of. */
import { lazy } from 'react'
import { Button } from '@mantine/core'
import { foundCountLimit, Id } from '@kelisim/domain/fields.ts'
import { defaultPointSort } from '@kelisim/domain/points/contract.ts'
import { coarseTypes, typeOf } from '@kelisim/domain/points/point-types.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import { SearchIcon, TrashIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { AddLink } from '../ui/list/add-link.tsx'
import { List } from '../ui/list/list.tsx'
import { Page } from '../ui/page/page.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData, PageNotFound } from '../ui/page/states.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { MountOnOpen } from '../ui/dialogs/mount-on-open.tsx'
import { DeletePointDialog } from './delete-dialog.tsx'
import { PointPage } from './point-page.tsx'
import { scopeName, type PointView } from './point-view.ts'
import classes from './points.module.css'
import { pointsPathOf, pointsQuery, type PointsPath } from './queries.ts'

export { AddPointPage, PointPage } from './point-page.tsx'

const LookupDialog = lazy(() => import('./lookup-dialog.tsx').then((m) => ({ default: m.LookupDialog })))

export function PointsPage() {
  const { params } = useAddress()
  const path = pointsPathOf(params.path)
  if (!path && Id.safeParse(params.path).success) return <PointPage />
  if (!path) return <PageNotFound />
  // The key resets the page when another list is shown.
  return <Points key={path} path={path} />
}

function Points({ path }: { path: PointsPath }) {
  const { t } = useTexts('points')
  const { organization, options } = useWorkplace()
  const position = useListSearch()
  const deleting = useDialog<PointView>()
  const isPublished = path === 'counterParty'
  const add = options.allowed.editPoints && <AddLink link={{ to: '/points/add' }}>{t('add')}</AddLink>
  return (
    <Page
      title={t(`titles.${path}`)}
      {...(isPublished && { lead: t('leads.counterParty') })}
      action={
        <span className={classes.buttons}>
          {isPublished && <LookupButton />}
          {add}
        </span>
      }
    >
      <List
        id={`points-${path}`}
        label={t(`titles.${path}`)}
        source={pointsQuery(organization.Id, path, position)}
        columns={useColumns(path)}
        rowKey={({ id }) => id}
        hasSearch
        {...(position.name && { countedUpTo: foundCountLimit })}
        searchLabel={t('search')}
        defaultSort={defaultPointSort}
        linkOf={({ id }) => ({ to: '/points/$path/$id', params: { path, id } })}
        actions={useActions(deleting.open)}
        empty={<NoData text={isPublished ? t('emptyCounterParty') : t('empty')}>{add}</NoData>}
      />
      <DeletePointDialog isOpen={deleting.isOpen} point={deleting.subject} onClose={deleting.close} />
    </Page>
  )
}

function useActions(onDelete: (point: PointView) => void) {
  const { t } = useTexts('points')
  return (point: PointView) =>
    point.allowed.delete && (
      <RowAction label={t('delete', { name: point.name })} isDangerous onClick={() => onDelete(point)}>
        <TrashIcon />
      </RowAction>
    )
}

function LookupButton() {
  const { t } = useTexts('points')
  const dialog = useDialog<null>()
  return (
    <>
      <Button variant="default" leftSection={<SearchIcon size={18} />} onClick={() => dialog.open(null)}>
        {t('lookup.open')}
      </Button>
      <MountOnOpen isOpen={dialog.isOpen}>
        <LookupDialog isOpen={dialog.isOpen} onClose={dialog.close} />
      </MountOnOpen>
    </>
  )
}

function useColumns(path: PointsPath): Column<PointView>[] {
  const { t } = useTexts('points')
  const author: Column<PointView> = {
    key: 'author',
    title: t('columns.author'),
    width: 124,
    cell: ({ creator }) => creator?.fullName,
  }
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      isSortable: true,
      width: '24%',
      card: 'title',
      cell: ({ name, isActive }) => (
        <span className={classes.name}>
          {name}
          {!isActive && <small>{t('inactive')}</small>}
        </span>
      ),
    },
    {
      key: 'type',
      title: t('columns.type'),
      width: '18%',
      card: 'status',
      cell: ({ type }) => t(`types.${typeOf(type)!}`),
    },
    {
      key: 'participant',
      title: t('columns.participant'),
      width: '17%',
      card: 'fact',
      cell: (point) => <Participant point={point} />,
    },
    {
      key: 'scope',
      title: t('columns.scope'),
      width: 104,
      card: 'progress',
      isSpare: true,
      cell: (point) => t(`scopes.${scopeName(point)}`),
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

/** Who acts at the point: a group of the organisation, or the owner of the number. */
function Participant({ point }: { point: PointView }) {
  const { t } = useTexts('points')
  if (point.pointType === coarseTypes.external) return point.organizationName || point.bin
  return point.group ? point.group.name : <span className={classes.missing}>{t('noGroup')}</span>
}
