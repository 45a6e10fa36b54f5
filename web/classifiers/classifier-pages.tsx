/** Classifiers: the tags of signing requests. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { PageNotFound } from '../ui/states.tsx'

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
      <EmptyList
        id="classifiers"
        label={t('classifiers.title')}
        text={t('classifiers.empty')}
        columns={{
          name: t('classifiers.columns.name'),
          author: t('classifiers.columns.author'),
          date: t('classifiers.columns.date'),
        }}
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
