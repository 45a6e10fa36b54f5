/** Incoming and outgoing signing requests. */
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { inGroups } from '@kelisim/domain/identity/numbers.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { portalAddress } from '../shell/portal-address.ts'
import { useWhoIsSignedIn } from '../identity/who-is-signed-in.ts'
import { recipientNumber } from '../shell/recipient-number.ts'
import { hereAsReturnApp, signInAddress, useWorkplace } from '../shell/session.ts'
import { EmptyList } from '../ui/empty-list.tsx'
import { Loading } from '../ui/loading.tsx'
import { NotOpenYet } from '../ui/not-open-yet.tsx'
import { Page, WindowTitle } from '../ui/page.tsx'
import { EmptyPicture, LostPicture } from '../ui/pictures.tsx'
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

/**
 * Where a link from a letter or a printed code leads. Nobody signed in: the way in. Somebody: the document is not
 * theirs to see as whoever they are now.
 */
export function RequestDoorPage() {
  const { t } = useTexts('lists')
  const { id } = useAddress().params
  const signedIn = useWhoIsSignedIn()
  const number = recipientNumber(window.location.search)
  if (signedIn === undefined) return <Loading />
  const isSomebody = signedIn !== null
  const isRefused = isSomebody && id !== undefined
  const title = isRefused ? t('shell:error.accessFailure') : t('door.title')
  const lines = [
    isRefused ? t('shell:error.accessFailureText') : t('door.text'),
    number && t('shell:error.recipient', { number: inGroups(number).replaceAll(' ', '\u00a0') }),
    isSomebody && t('door.signedInAs', { name: signedIn.fullName }),
  ].filter((line) => typeof line === 'string')
  // The sign-in service knows whoever is signed in: it must ask anew, or it would send them straight back.
  const way = signInAddress(hereAsReturnApp(), isSomebody)
  return (
    <>
      <WindowTitle title={title} />
      <State
        isPage
        picture={isRefused ? <LostPicture /> : <EmptyPicture />}
        title={title}
        text={lines.map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
      >
        <Button component="a" href={way}>
          {t('shell:error.signInWithSignature')}
        </Button>
        <Button component="a" variant="default" href={signInAddress(hereAsReturnApp(), true)}>
          {t('door.changeAccount')}
        </Button>
      </State>
    </>
  )
}
