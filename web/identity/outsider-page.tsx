/**
 * The page of a person who signed in with a digital signature and has no account: who they are and what they may do.
 */
import { Button, Group, Stack } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import type { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { pages } from '@kelisim/domain/pages.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { pageConfig } from '../api/page-config.ts'
import { signInAddress } from '../shell/session/session.ts'
import { leave } from '../shell/session/sign-out.ts'
import { useAddress } from '../ui/browser/address.ts'
import { ownReturn } from '../ui/browser/own-return.ts'
import { Facts } from '../ui/page/facts.tsx'
import { Card, Page } from '../ui/page/page.tsx'

export type Recipient = z.output<typeof getRecipient.result>

export function OutsiderPage() {
  const { t } = useTexts('identity')
  const { recipient } = useRouteContext({ from: '/empty/outsider' }) as { recipient: Recipient }
  const { returnUri } = useAddress().search
  const { fullName, iin, bin, organization } = recipient
  const back = ownReturn(returnUri, window.location.origin) ?? pages.incomingRequests
  const facts = [
    [t('outsider.name'), fullName],
    [t('common:iin'), iin && inGroups(iin)],
    [t('common:bin'), bin && inGroups(bin)],
    [t('outsider.organization'), organization],
  ] as const
  return (
    <Page isNarrow title={t('outsider.title')} lead={t('outsider.lead')}>
      <Card title={t('outsider.who')}>
        <Facts rows={facts.filter(([, value]) => value)} />
      </Card>
      <Card title={t('outsider.may')}>
        <Stack>
          <p>{t('outsider.mayOpen')}</p>
          <p>{t('outsider.mayNot')}</p>
          <Group>
            {pageConfig.registerUrl && (
              <Button component="a" href={pageConfig.registerUrl}>
                {t('outsider.register')}
              </Button>
            )}
            <Button component="a" variant="default" href={signInAddress(back, true)}>
              {t('outsider.anotherSignature')}
            </Button>
            <Button component="a" variant="default" href={signInAddress(back, true)}>
              {t('login.switch')}
            </Button>
            <Button variant="default" onClick={() => void leave()}>
              {t('outsider.signOut')}
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  )
}
