/** The lists of document templates: all visible ones, the person's own, and those for all staff. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { countLimit, foundCountLimit } from '@kelisim/domain/fields.ts'
import {
  copyTemplate,
  defaultTemplateSort,
  getTemplates,
  longestTemplateName,
  templatePaths,
  type TemplatePath,
} from '@kelisim/domain/rich-text/contract.ts'
import { visibilityOf } from '@kelisim/domain/visibility.ts'
import type * as z from 'zod/mini'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { formatDate } from '../ui/format/dates.ts'
import { DocumentIcon, TrashIcon } from '../ui/look/icons.tsx'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { AddLink } from '../ui/list/add-link.tsx'
import { List } from '../ui/list/list.tsx'
import { Page } from '../ui/page/page.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { NoData } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeleteTemplateDialog } from './delete-template-dialog.tsx'
import { CopyIcon } from './editor/icons.tsx'
import { templatesQuery } from './queries.ts'
import classes from './rich-text.module.css'

export type TemplateLine = z.output<typeof getTemplates.result>['items'][number]

export function Templates({ path }: { path: TemplatePath }) {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const position = useListSearch()
  const deleting = useDialog<TemplateLine>()
  const add = (
    <AddLink link={{ to: '/document-templates/$path', params: { path: 'new' } }}>
      {t('templates.new')}
    </AddLink>
  )
  return (
    <Page title={t('templates.title')} action={add}>
      <nav className={classes.tabs} aria-label={t('templates.title')}>
        {templatePaths.map((one) => (
          <Link
            key={one}
            className={classes.tab}
            to={one === 'all' ? '/document-templates' : '/document-templates/$path'}
            params={{ path: one }}
            {...(one === path && { 'aria-current': 'page' })}
          >
            {t(`templates.${one}`)}
          </Link>
        ))}
      </nav>
      <List
        id={`document-templates-${path}`}
        label={t('templates.title')}
        source={templatesQuery(organization.Id, path, position)}
        columns={useColumns()}
        rowKey={({ id }) => id}
        hasSearch
        searchLabel={t('templates.search')}
        defaultSort={defaultTemplateSort}
        countedUpTo={position.name === '' ? countLimit : foundCountLimit}
        linkOf={({ id }) => ({ to: '/document-templates/$path/$id', params: { path, id } })}
        actions={useActions(deleting.open)}
        empty={<NoData text={t('templates.empty')}>{add}</NoData>}
      />
      <DeleteTemplateDialog isOpen={deleting.isOpen} template={deleting.subject} onClose={deleting.close} />
    </Page>
  )
}

function useColumns(): Column<TemplateLine>[] {
  const { t } = useTexts('rich-text')
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      isSortable: true,
      card: 'title',
      cell: ({ name, description }) => (
        <span className={classes.name}>
          {name}
          {description && <small>{description}</small>}
        </span>
      ),
    },
    {
      key: 'language',
      title: t('columns.language'),
      width: 120,
      card: 'progress',
      isSpare: true,
      cell: ({ language }) => t(`languages.${language}`),
    },
    {
      key: 'visibility',
      title: t('columns.visibility'),
      width: 112,
      card: 'status',
      cell: ({ visibilityScope }) => t(`visibility.${visibilityOf(visibilityScope)}`),
    },
    {
      key: 'author',
      title: t('columns.author'),
      width: '20%',
      card: 'fact',
      cell: ({ author }) => author.fullName,
    },
    {
      key: 'created',
      title: t('columns.created'),
      isSortable: true,
      width: 124,
      card: 'date',
      cell: ({ createdAt }) => formatDate(createdAt),
    },
  ]
}

function useActions(onDelete: (template: TemplateLine) => void) {
  const { t } = useTexts('rich-text')
  const navigate = useNavigate()
  const copying = useCopy()
  return (template: TemplateLine) => {
    const { id, name, allowed } = template
    return (
      <>
        <RowAction
          label={t('acts.writeOne', { name })}
          onClick={() => void navigate({ to: '/documents/write/{-$id}', params: { id } })}
        >
          <DocumentIcon />
        </RowAction>
        <RowAction
          label={t('acts.copyOne', { name })}
          isBusy={copying.isPending && copying.variables.id === id}
          onClick={() => copying.mutate(template)}
        >
          <CopyIcon />
        </RowAction>
        {allowed.delete && (
          <RowAction label={t('acts.deleteOne', { name })} isDangerous onClick={() => onDelete(template)}>
            <TrashIcon />
          </RowAction>
        )}
      </>
    )
  }
}

/** Copies a template and opens the copy for editing. */
export function useCopy() {
  const { t } = useTexts('rich-text')
  const { organization } = useWorkplace()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(copyTemplate, {
        organizationId: organization.Id,
        templateId: id,
        name: t('templates.copyName', { name }).slice(0, longestTemplateName),
      }),
    onSuccess: async ({ id }) => {
      toast(t('templates.copied'))
      void client.invalidateQueries({ queryKey: [getTemplates.path] })
      await navigate({ to: '/document-templates/$path/$id', params: { path: 'my', id } })
    },
  })
}
