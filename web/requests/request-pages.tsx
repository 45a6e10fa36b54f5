/** Incoming and outgoing signing requests. */
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { portalAddress } from '../shell/portal-address.ts'
import { hereAsReturnApp, signInAddress, useWorkplace } from '../shell/session.ts'
import { EmptyList } from '../ui/empty-list.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page, WindowTitle } from '../ui/page.tsx'
import { EmptyPicture } from '../ui/pictures.tsx'
import { PageNotFound, State } from '../ui/states.tsx'
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

export function RequestPage() {
  return <PageNotFound />
}

export function AddRequestPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.add')} />
}

export function QuickSendPage() {
  const { t } = useTexts('lists')
  return <NotOpenYet title={t('requests.quick')} />
}

/** Where a link from a letter or a printed code leads a person who is not signed in. */
export function RequestDoorPage() {
  const { t } = useTexts('lists')
  const { id } = useAddress().params
  const back = id ? `/signingRequests/incomings/${id}${window.location.search}` : hereAsReturnApp()
  return (
    <>
      <WindowTitle title={t('door.title')} />
      <State isPage picture={<EmptyPicture />} title={t('door.title')} text={t('door.text')}>
        <Button component="a" href={signInAddress(back)}>
          {t('door.signIn')}
        </Button>
        <Button component="a" variant="default" href={signInAddress(back, true)}>
          {t('door.changeAccount')}
        </Button>
      </State>
    </>
  )
}
