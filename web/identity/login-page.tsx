/** For accounts without an organisation, or to add another one: adds an organisation, or switches the account. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { getMyJoinRequests } from '@kelisim/domain/identity/confirmation-contract.ts'
import { addOrganization } from '@kelisim/domain/identity/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { pageConfig } from '../api/page-config.ts'
import { signInAddress } from '../api/sign-in-address.ts'
import { forgetSession, rememberOrganization, type Session } from '../shell/session/session.ts'
import { FormFields, NumberField, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { ConfirmBySignature } from './confirm-by-signature.tsx'
import type { Confirmed } from './use-confirmation.ts'
import { WaitingRequests } from './waiting-requests.tsx'

export function LoginPage() {
  const { t } = useTexts('identity')
  const { session } = useRouteContext({ from: '/empty/login' }) as { session: Session }
  const client = useQueryClient()
  const enter = useEntrance(session)
  const { signer } = pageConfig
  const hasOrganizations = session.organizations.length > 0
  const confirmed = ({ status, shortName, organization }: Confirmed) => {
    if (organization) return void enter(organization.Id, t(`confirm.done.${status}`, { name: shortName }))
    toast(t('confirm.done.waiting', { name: shortName }))
    void client.invalidateQueries({ queryKey: [getMyJoinRequests.path] })
  }
  return (
    <Page
      isNarrow
      title={hasOrganizations ? t('login.another') : t('login.title')}
      lead={t(hasOrganizations ? 'login.anotherText' : 'login.text', { email: session.profile.Email })}
    >
      <WaitingRequests />
      {signer && (
        <Card title={t('confirm.title')}>
          <Stack>
            <p>{t('confirm.text')}</p>
            <ConfirmBySignature signer={signer} onDone={confirmed} />
          </Stack>
        </Card>
      )}
      <Card {...(signer && { title: t('login.byNumber') })}>
        <NumberForm
          isQuiet={signer !== undefined}
          onAdded={(organizationId) => enter(organizationId, t('login.added'))}
        />
      </Card>
      <Group>
        {hasOrganizations && (
          <Button component="a" variant="default" href={pages.incomingRequests}>
            {t('login.back')}
          </Button>
        )}
        <Button component="a" variant="subtle" href={signInAddress(pages.incomingRequests, true)}>
          {t('login.switch')}
        </Button>
      </Group>
    </Page>
  )
}

function NumberForm(props: { isQuiet: boolean; onAdded: (organizationId: string) => Promise<void> }) {
  const { t } = useTexts('identity')
  const form = useApiForm({
    id: 'add-organization',
    endpoint: addOrganization,
    initial: { bin: '', shortName: '' },
    fieldOf: { 'organization-already-yours': 'bin', 'organization-of-others': 'bin' },
    onDone: (added) => props.onAdded(added.Id),
  })
  return (
    <FormFields form={form}>
      <Stack>
        <NumberField name="bin" label={t('login.number')} help={t('login.numberHelp')} isRequired />
        <TextField name="shortName" label={t('login.name')} help={t('login.nameHelp')} max={250} isRequired />
        <Alert>{t('login.unconfirmed')}</Alert>
        <Group>
          <SubmitButton isQuiet={props.isQuiet}>{t('login.add')}</SubmitButton>
        </Group>
      </Stack>
    </FormFields>
  )
}

/** Returns a function that opens the organisation that was just added. */
function useEntrance(session: Session): (organizationId: string, said: string) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (organizationId, said) => {
    rememberOrganization(session.profile.Login, organizationId)
    forgetSession(client)
    toast(said)
    await navigate({
      to: '/signingRequests/$route',
      params: { route: 'incomings' },
      search: { organizationId },
      ignoreBlocker: true,
    })
  }
}
