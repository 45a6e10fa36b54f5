/** The page of the unsubscribe link in e-mails: nothing changes before a button is pressed. */
import { Button, Group, Stack } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { saveSubscription } from '@kelisim/domain/notifications/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useAddress } from '../ui/browser/address.ts'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { Loading } from '../ui/page/loading.tsx'
import { Card, Page, WindowTitle } from '../ui/page/page.tsx'
import { LostPicture } from '../ui/look/pictures.tsx'
import { State } from '../ui/page/states.tsx'
import { subscriptionQuery } from './queries.ts'

export function UnsubscribePage() {
  const { t } = useTexts('notifications')
  const { token = '' } = useAddress().params
  const client = useQueryClient()
  const subscription = subscriptionQuery(token)
  const { data, error, refetch } = useQuery(subscription)
  const save = useMutation({
    mutationFn: (isOff: boolean) => call(saveSubscription, { token, isOff }),
    onSuccess: (chosen) => client.setQueryData(subscription.queryKey, chosen),
  })
  if (error?.status === 404) {
    return (
      <>
        <WindowTitle title={t('unsubscribe.unknownTitle')} />
        <State
          isPage
          picture={<LostPicture />}
          title={t('unsubscribe.unknownTitle')}
          text={t('unsubscribe.unknownText')}
        />
      </>
    )
  }
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const values = {
    kind: data.kinds.map((kind) => t(`options:notificationSettings.kinds.${kind}`)).join(', '),
    organization: data.organizationName,
  }
  const isBack = save.isSuccess && !data.isOff
  return (
    <Page isNarrow title={t('unsubscribe.title')}>
      <Card>
        <Stack>
          <p role="status">
            {t(data.isOff ? 'unsubscribe.done' : isBack ? 'unsubscribe.isOn' : 'unsubscribe.ask', values)}
          </p>
          <p>{t('unsubscribe.still')}</p>
          <Group>
            <Button
              variant={data.isOff ? 'default' : 'filled'}
              loading={save.isPending}
              onClick={() => save.mutate(!data.isOff)}
            >
              {t(data.isOff ? 'unsubscribe.back' : 'unsubscribe.yes')}
            </Button>
          </Group>
        </Stack>
      </Card>
    </Page>
  )
}
