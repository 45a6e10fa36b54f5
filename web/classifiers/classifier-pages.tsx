/** Classifiers: the tags of signing requests. */
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  addClassifier,
  type Classifier,
  defaultClassifierSort,
  getClassifier,
  getClassifiers,
  longestClassifierName,
  saveClassifier,
} from '@kelisim/domain/classifiers/contract.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import { clearDirty } from '../ui/form/dirty.ts'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { EditIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { AddLink } from '../ui/list/add-link.tsx'
import { List } from '../ui/list/list.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData, PageNotFound } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import classes from './classifiers.module.css'
import { classifierQuery, classifiersQuery } from './queries.ts'

type ClassifierView = z.output<typeof Classifier>

export function ClassifiersPage() {
  const { t } = useTexts('classifiers')
  const { organization, role } = useWorkplace()
  const position = useListSearch()
  const navigate = useNavigate()
  const open = ({ classificatorId }: ClassifierView) =>
    void navigate({ to: '/classificators/$id', params: { id: classificatorId } })
  const isOwner = role === 'Owner'
  const add = isOwner && <AddLink link={{ to: '/classificators/add' }}>{t('add')}</AddLink>
  const actions = useActions(open)
  return (
    <Page title={t('title')} action={add}>
      <List
        id="classifiers"
        label={t('title')}
        source={classifiersQuery(organization.Id, position)}
        columns={useColumns()}
        rowKey={({ classificatorId }) => classificatorId}
        hasSearch
        {...(position.name && { countedUpTo: foundCountLimit })}
        searchLabel={t('search')}
        defaultSort={defaultClassifierSort}
        linkOf={({ classificatorId }) => ({ to: '/classificators/$id', params: { id: classificatorId } })}
        {...(isOwner && { actions })}
        empty={<NoData text={t('empty')}>{add}</NoData>}
      />
    </Page>
  )
}

function useActions(onEdit: (classifier: ClassifierView) => void) {
  const { t } = useTexts('classifiers')
  return (classifier: ClassifierView) => (
    <RowAction label={t('rename', { name: classifier.name })} onClick={() => onEdit(classifier)}>
      <EditIcon />
    </RowAction>
  )
}

function useColumns(): Column<ClassifierView>[] {
  const { t } = useTexts('classifiers')
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: ({ name }) => name,
    },
    {
      key: 'author',
      title: t('columns.author'),
      width: '30%',
      card: 'fact',
      cell: ({ author }) => author.fullName,
    },
    {
      key: 'created',
      title: t('columns.date'),
      width: 140,
      card: 'date',
      isSortable: true,
      cell: ({ createdAt }) => formatDate(createdAt),
    },
  ]
}

export function AddClassifierPage() {
  const { t } = useTexts('classifiers')
  return (
    <Page title={t('add')} isNarrow>
      <ClassifierForm classifier={null} />
    </Page>
  )
}

export function ClassifierPage() {
  const { t } = useTexts('classifiers')
  const { organization } = useWorkplace()
  const id = idOf(useAddress().params.id)
  const {
    data: classifier,
    error,
    refetch,
  } = useQuery({ ...classifierQuery(organization.Id, id ?? ''), enabled: id !== undefined })
  if (id === undefined || error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!classifier) return <LoadingLines />
  const made = `${classifier.author.fullName} · ${formatDate(classifier.createdAt)}`
  if (!classifier.allowed.rename) {
    return (
      <Page title={classifier.name} lead={made} isNarrow>
        <Card>
          <p>{t('readOnly')}</p>
        </Card>
      </Page>
    )
  }
  return (
    <Page title={t('one')} lead={made} isNarrow>
      <ClassifierForm key={classifier.classificatorId} classifier={classifier} />
    </Page>
  )
}

/** Creates a classifier, or changes the given one. */
function ClassifierForm({ classifier }: { classifier: ClassifierView | null }) {
  const { t } = useTexts('classifiers')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const organizationId = organization.Id
  const form = useApiForm({
    id: `classifier:${organizationId}:${classifier?.classificatorId ?? 'new'}`,
    endpoint: classifier ? saveClassifier : addClassifier,
    fixed: {
      organizationId,
      ...(classifier && {
        classificatorId: classifier.classificatorId,
        currentVersion: classifier.currentVersion,
      }),
    },
    initial: { name: classifier?.name ?? '' },
    fieldOf: { 'classificator-name-already-in-use': 'name' },
    onDone: async (saved) => {
      const { classificatorId, name } = saved
      client.setQueryData(query(getClassifier, { organizationId, classificatorId }).queryKey, saved)
      void client.invalidateQueries({ queryKey: [getClassifiers.path] })
      toast(classifier ? t('common:saved') : t('created'))
      form.reset({ name }) // the server trims what was typed
      if (classifier) return
      clearDirty() // saved: there is nothing to lose
      await navigate({ to: '/classificators' })
    },
  })
  return (
    <FormFields form={form} label={classifier ? t('one') : t('add')}>
      <Card>
        <Fields>
          <TextField
            name="name"
            label={t('columns.name')}
            help={t('nameHelp')}
            max={longestClassifierName}
            isRequired
          />
        </Fields>
      </Card>
      <div className={classes.buttons}>
        <SubmitButton onlyWhenDirty>{classifier ? t('common:actions.save') : t('create')}</SubmitButton>
        <Button variant="default" renderRoot={(props) => <Link to="/classificators" {...props} />}>
          {t('common:actions.cancel')}
        </Button>
      </div>
    </FormFields>
  )
}
