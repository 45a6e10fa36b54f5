/** The page behind the link of an invitation letter: read by anyone who has it, accepted by the person invited. */
import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { acceptInvitation, getInvitation } from '@kelisim/domain/identity/contract.ts'
import { call, query } from '../api.ts'
import { forgetSession, hereAsReturnApp, signInAddress } from '../shell/session.ts'
import { formatMoment } from '../ui/dates.ts'
import { Loading } from '../ui/loading.tsx'
import { Card, Page } from '../ui/page.tsx'
import { LostPicture } from '../ui/pictures.tsx'
import { State } from '../ui/states.tsx'
import { toast } from '../ui/toast.tsx'
import { useWhoIsSignedIn } from './who-is-signed-in.ts'
import { useAddress } from '../ui/address.ts'

export function InvitationPage() {
  const { t } = useTexts('identity')
  const { token = '' } = useAddress().params
  const { data: invitation, error } = useQuery(query(getInvitation, { token }))
  const signedInAs = useWhoIsSignedIn()
  if (error) {
    return <State isPage picture={<LostPicture />} title={t('invitation.title')} text={error.message} />
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
          {invitation.isExpired ? (
            <p role="alert">{t('invitation.expired', { date })}</p>
          ) : (
            <>
              <p>
                {t('invitation.email', { email: invitation.email })} {t('invitation.until', { date })}
              </p>
              {signedInAs === null ? (
                <Group>
                  <Button component="a" href={signInAddress(hereAsReturnApp())}>
                    {t('invitation.signIn')}
                  </Button>
                </Group>
              ) : (
                <Accept token={token} signedInAs={signedInAs} organization={invitation.organizationName} />
              )}
            </>
          )}
        </Stack>
      </Card>
    </Page>
  )
}

function Accept({
  token,
  signedInAs,
  organization,
}: {
  token: string
  signedInAs: string
  organization: string
}) {
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
        <Button loading={accept.isPending} onClick={() => accept.mutate()}>
          {t('invitation.accept')}
        </Button>
        <Button component="a" variant="default" href={signInAddress(hereAsReturnApp(), true)}>
          {t('login.switch')}
        </Button>
      </Group>
    </>
  )
}
