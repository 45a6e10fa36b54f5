/** Incoming and outgoing signing requests. */
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { portalAddress } from '../shell/portal-address.ts'
import { useWorkplace } from '../shell/session.ts'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page } from '../ui/page.tsx'
import { PageNotFound } from '../ui/states.tsx'
import { useAddress } from '../ui/address.ts'

const lists = new Map<string, 'incoming' | 'outgoing'>([
  ['incomings', 'incoming'],
  ['outgoings', 'outgoing'],
])

export function RequestsPage() {
  const { t } = useTexts('lists')
  const { route } = useAddress().params
  const navigate = useNavigate()
  const { role, organization } = useWorkplace()
  const which = lists.get(route?.toLowerCase() ?? '')
  if (!which) return <PageNotFound />
  const columns = [
    'name',
    which === 'incoming' ? 'from' : 'to',
    'route',
    'status',
    'date',
    'changed',
  ] as const
  return (
    <Page title={t(`requests.${which}.title`)}>
      <EmptyList
        id={`requests-${which}`}
        label={t(`requests.${which}.title`)}
        text={t(`requests.${which}.empty`)}
        columns={Object.fromEntries(columns.map((key) => [key, t(`requests.columns.${key}`)]))}
      >
        <Button
          onClick={() =>
            void navigate({ to: '/documents/$path', params: { path: 'my' }, search: { upload: true } })
          }
        >
          {t('requests.start')}
        </Button>
        {role === 'Owner' && (
          <Button component="a" variant="default" href={portalAddress(organization.Id, 'members')}>
            {t('requests.invite')}
          </Button>
        )}
      </EmptyList>
    </Page>
  )
}

export function AddRequestPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.add')} />
}

export function QuickSendPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.quick')} />
}
