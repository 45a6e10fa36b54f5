/** Shown when the account has no organisation, or wants one more: add an organisation, or switch the account. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { addOrganization } from '@kelisim/domain/identity/contract.ts'
import { forgetSession, rememberOrganization, signInAddress, type Session } from '../shell/session.ts'
import { FormFields, NumberField, SubmitButton, TextField, useApiForm } from '../ui/form.tsx'
import { Card, Page } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'

export function LoginPage() {
  const { t } = useTexts('identity')
  const { session } = useRouteContext({ from: '/empty/login' }) as { session: Session }
  const client = useQueryClient()
  const navigate = useNavigate()
  const hasOrganizations = session.organizations.length > 0
  const form = useApiForm({
    id: 'add-organization',
    endpoint: addOrganization,
    initial: { bin: '', shortName: '' },
    fieldOf: { 'organization-already-yours': 'bin' },
    onDone: async (added) => {
      rememberOrganization(session.profile.Login, added.Id)
      forgetSession(client)
      toast(t('login.added'))
      await navigate({
        to: '/signingRequests/$route',
        params: { route: 'incomings' },
        search: { organizationId: added.Id },
        ignoreBlocker: true,
      })
    },
  })
  return (
    <Page
      isNarrow
      title={hasOrganizations ? t('login.another') : t('login.title')}
      lead={t(hasOrganizations ? 'login.anotherText' : 'login.text', { email: session.profile.Email })}
    >
      <Card>
        <FormFields form={form}>
          <Stack>
            <NumberField name="bin" label={t('login.number')} help={t('login.numberHelp')} isRequired />
            <TextField
              name="shortName"
              label={t('login.name')}
              help={t('login.nameHelp')}
              max={250}
              isRequired
            />
            <Alert>{t('login.unconfirmed')}</Alert>
            <Group>
              <SubmitButton>{t('login.add')}</SubmitButton>
              {hasOrganizations && (
                <Button component="a" variant="default" href="/signingRequests/incomings">
                  {t('login.back')}
                </Button>
              )}
            </Group>
          </Stack>
        </FormFields>
      </Card>
      <Button component="a" variant="subtle" href={signInAddress('/signingRequests/incomings', true)}>
        {t('login.switch')}
      </Button>
    </Page>
  )
}
