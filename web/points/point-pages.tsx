/** Points: the steps that routes are made of. */
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

const paths = ['my', 'public', 'organization', 'internal', 'external', 'counterParty'] as const

export function PointsPage() {
  const { t } = useTexts('lists')
  const { role, options } = useWorkplace()
  const { params } = useAddress()
  const path = paths.find((p) => p.toLowerCase() === params.path?.toLowerCase())
  if (!path || (path === 'organization' && role !== 'Owner')) return <PageNotFound />
  return (
    <Page
      title={t(`points.${path}`)}
      action={
        options.allowed.editPoints && (
          <Button
            leftSection={<PlusIcon size={18} />}
            renderRoot={(props) => <Link to="/points/add" {...props} />}
          >
            {t('points.add')}
          </Button>
        )
      }
    >
      <EmptyList
        id={`points-${path}`}
        label={t(`points.${path}`)}
        text={t('points.empty')}
        columns={{
          name: t('points.columns.name'),
          scope: t('points.columns.scope'),
          type: t('points.columns.type'),
          participant: t('points.columns.participant'),
          created: t('points.columns.created'),
        }}
      />
    </Page>
  )
}

export function PointPage() {
  return <PageNotFound />
}

export function AddPointPage() {
  const { t } = useTexts('lists')
  const { options } = useWorkplace()
  return options.allowed.editPoints ? <NotOpenYet title={t('points.add')} /> : <PageNotFound />
}
