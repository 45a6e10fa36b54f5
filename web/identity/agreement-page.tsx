/** Acceptance of the agreement. It works without a session: the acceptance is then kept in a cookie until sign-in. */
import { useState } from 'react'
import { Button, Checkbox, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTexts } from '../i18n/use-texts.ts'
import { acceptAgreement, agreementVersion } from '@kelisim/domain/identity/contract.ts'
import { helpPage, type HelpName } from '@kelisim/domain/help/documents.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { call } from '../api/api.ts'
import { Card, Page } from '../ui/page/page.tsx'
import { ownReturn } from '../ui/browser/own-return.ts'
import { useAddress } from '../ui/browser/address.ts'

export function AgreementPage() {
  const { t } = useTexts('identity')
  const { returnUri } = useAddress().search
  const client = useQueryClient()
  const [isAccepted, setAccepted] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const accept = useMutation({
    mutationFn: () => call(acceptAgreement, { version: agreementVersion }),
    onSuccess: () => {
      client.clear()
      window.location.assign(ownReturn(returnUri, window.location.origin) ?? pages.incomingRequests)
    },
  })
  return (
    <Page isNarrow title={t('agreement.title')} lead={t('agreement.lead')}>
      <Card>
        <Stack>
          <p>{t('agreement.purpose')}</p>
          <p>{t('agreement.duty')}</p>
          <p>{t('agreement.data')}</p>
          <p>
            {t('agreement.full')} <Text name="service-rules">{t('agreement.rules')}</Text>,{' '}
            <Text name="personal-data-agreement">{t('agreement.personalData')}</Text>,{' '}
            <Text name="contract-offer">{t('agreement.offer')}</Text>.
          </p>
          <Checkbox
            label={t('agreement.accept')}
            checked={isAccepted}
            error={isMissing && t('agreement.mustAccept')}
            onChange={(event) => {
              setAccepted(event.currentTarget.checked)
              setMissing(false)
            }}
          />
          <div>
            <Button
              loading={accept.isPending}
              onClick={() => (isAccepted ? accept.mutate() : setMissing(true))}
            >
              {t('agreement.continue')}
            </Button>
          </div>
        </Stack>
      </Card>
    </Page>
  )
}

/** Opens in a new tab, so that the reader can return to the checkbox. */
function Text({ name, children }: { name: HelpName; children: string }) {
  return (
    <a href={helpPage(name)} target="_blank" rel="noopener">
      {children}
    </a>
  )
}
