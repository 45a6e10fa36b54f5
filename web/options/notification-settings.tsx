import { useId } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type getNotificationSettings, saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import {
  notificationModes,
  type NotificationKind,
  type NotificationMode,
} from '@kelisim/domain/options/options.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioOption } from '../ui/form/choices.tsx'
import { FormFields, SubmitButton, useApiForm } from '../ui/form/form.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { notificationSettingsQuery } from './queries.ts'
import classes from './shared/options.module.css'

type Settings = z.output<typeof getNotificationSettings.result>

export function NotificationSettings() {
  const { t } = useTexts('options')
  const { organization } = useWorkplace()
  const { data, error, refetch } = useQuery(notificationSettingsQuery(organization.Id))
  return (
    <Page title={t('notificationSettings.title')} lead={t('notificationSettings.lead')} isNarrow>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={10} />}
      {data && <SettingsForm settings={data} />}
    </Page>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const { t } = useTexts('options')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const fixed = { organizationId: organization.Id }
  const form = useApiForm({
    id: `notifications:${organization.Id}`,
    endpoint: saveNotificationSettings,
    fixed,
    initial: settings,
    onDone: (saved) => {
      client.setQueryData(notificationSettingsQuery(organization.Id).queryKey, saved)
      toast(t('common:saved'))
    },
  })
  const { settings: shown } = form.values
  return (
    <FormFields form={form} label={t('notificationSettings.title')}>
      <Card>
        <div className={classes.kinds}>
          {shown.map(({ kind, mode }) => (
            <KindRow
              key={kind}
              kind={kind}
              mode={mode}
              onChange={(next) =>
                form.set(
                  'settings',
                  shown.map((setting) => (setting.kind === kind ? { kind, mode: next } : setting)),
                )
              }
            />
          ))}
        </div>
      </Card>
      <SubmitButton onlyWhenDirty>{t('common:actions.save')}</SubmitButton>
    </FormFields>
  )
}

/** Every choice has its own label, so that a row can be read in a column on a phone too. */
function KindRow(props: {
  kind: NotificationKind
  mode: NotificationMode
  onChange: (mode: NotificationMode) => void
}) {
  const { t } = useTexts('options')
  const id = useId()
  return (
    <div className={classes.kind} role="radiogroup" aria-labelledby={id}>
      <span id={id}>{t(`notificationSettings.kinds.${props.kind}`)}</span>
      {notificationModes.map((mode) => (
        <RadioOption
          key={mode}
          name={props.kind}
          label={t(`notificationSettings.modes.${mode}`)}
          checked={props.mode === mode}
          onChange={() => props.onChange(mode)}
        />
      ))}
    </div>
  )
}
