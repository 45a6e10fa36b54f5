/** Classifiers: the tags of signing requests. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { ListOf } from '../ui/list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { NoData, PageNotFound } from '../ui/states.tsx'

export function ClassifiersPage() {
  const { t } = useTexts('lists')
  const { role } = useWorkplace()
  return (
    <Page
      title={t('classifiers.title')}
      action={
        role === 'Owner' && (
          <Button
            leftSection={<PlusIcon size={18} />}
            renderRoot={(props) => <Link to="/classificators/add" {...props} />}
          >
            {t('classifiers.add')}
          </Button>
        )
      }
    >
      <ListOf
        id="classifiers"
        label={t('classifiers.title')}
        columns={(['name', 'author', 'date'] as const).map((key) => ({
          key,
          title: t(`classifiers.columns.${key}`),
          cell: () => null,
          isFixed: key === 'name',
        }))}
        items={[]}
        totalCount={0}
        rowKey={String}
        empty={<NoData text={t('classifiers.empty')} />}
      />
    </Page>
  )
}

export function AddClassifierPage() {
  const { t } = useTexts('lists')
  const { role } = useWorkplace()
  return role === 'Owner' ? <NotOpenYet title={t('classifiers.add')} /> : <PageNotFound />
}

export function ClassifierPage() {
  return <PageNotFound />
}
