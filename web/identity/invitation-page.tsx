/** The page of an invitation link: shown to anyone who has the link, accepted by the invited person. */
import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { acceptInvitation } from '@kelisim/domain/identity/contract.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { call } from '../api/api.ts'
import { hereAsReturnApp, signInAddress } from '../api/sign-in-address.ts'
import { NumberLine } from '../shell/header/header-buttons.tsx'
import { forgetSession } from '../shell/session/session.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { Loading } from '../ui/page/loading.tsx'
import { Card, Page, WindowTitle } from '../ui/page/page.tsx'
import { LostPicture } from '../ui/look/pictures.tsx'
import { State } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { invitationQuery } from './queries.ts'
import { useWhoIsSignedIn } from './who-is-signed-in.ts'
import { useAddress } from '../ui/browser/address.ts'

export function InvitationPage() {
  const { t } = useTexts('identity')
  const { token = '' } = useAddress().params
  const { data: invitation, error } = useQuery(invitationQuery(token))
  const signedInAs = useWhoIsSignedIn()
  if (error) {
    return (
      <>
        <WindowTitle title={t('invitation.title')} />
        <State isPage picture={<LostPicture />} title={t('invitation.title')} text={error.message}>
          <Button component="a" href={pages.incomingRequests}>
            {t('login.back')}
          </Button>
        </State>
      </>
    )
  }
  if (!invitation || signedInAs === undefined) return <Loading />
  const date = formatMoment(invitation.expiresAt)
  return (
    <Page isNarrow title={t('invitation.title')}>
      <Card>
        <Stack>
          <p>
            {t('invitation.text', {
              inviter: invitation.invitedBy,
              organization: invitation.organizationName,
            })}
          </p>
          <p>
            <NumberLine number={invitation.bin} />
            {!invitation.isConfirmed && ` · ${t('common:unconfirmed')}`}
            <br />
            {roles
              .list(invitation.roles)
              .map((name) => t(`common:roles.${name}`))
              .join(', ')}
          </p>
          {invitation.isExpired ? (
            <p role="alert">{t('invitation.expired', { date })}</p>
          ) : (
            <>
              <p>
                {t('invitation.email', { email: invitation.email })} {t('invitation.until', { date })}
              </p>
              {signedInAs === null || signedInAs.email === null ? (
                <Group>
                  <Button component="a" href={signInAddress(hereAsReturnApp(), signedInAs !== null)}>
                    {t('invitation.signIn')}
                  </Button>
                </Group>
              ) : (
                <Accept
                  token={token}
                  signedInAs={signedInAs.email}
                  isInvited={signedInAs.email === invitation.email}
                  organization={invitation.organizationName}
                />
              )}
            </>
          )}
        </Stack>
      </Card>
    </Page>
  )
}

function Accept(props: { token: string; signedInAs: string; isInvited: boolean; organization: string }) {
  const { token, signedInAs, isInvited, organization } = props
  const { t } = useTexts('identity')
  const client = useQueryClient()
  const navigate = useNavigate()
  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { token }),
    onSuccess: async ({ organizationId }) => {
      forgetSession(client)
      toast(t('invitation.joined', { organization }))
      await navigate({
        to: '/signingRequests/$route',
        params: { route: 'incomings' },
        search: { organizationId },
      })
    },
  })
  return (
    <>
      <p>{t('invitation.signedInAs', { email: signedInAs })}</p>
      <Group>
        {isInvited && (
          <Button loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('invitation.accept')}
          </Button>
        )}
        <Button
          component="a"
          {...(isInvited && { variant: 'default' })}
          href={signInAddress(hereAsReturnApp(), true)}
        >
          {t('login.switch')}
        </Button>
      </Group>
    </>
  )
}
