import { useId } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type getNotificationSettings, saveNotificationSettings } from '@kelisim/domain/options/contract.ts'
import {
  notificationModes,
  type NotificationKind,
  type NotificationMode,
} from '@kelisim/domain/options/options.ts'
import type * as z from 'zod/mini'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioOption } from '../ui/form/choices.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { notificationSettingsQuery } from './queries.ts'
import { OptionSection } from './shared/option-section.tsx'
import classes from './shared/options.module.css'
import { useInstant } from './shared/use-instant.ts'

type Settings = z.output<typeof getNotificationSettings.result>['settings']

export function NotificationSettings() {
  const { t } = useTexts('options')
  const { organization } = useWorkplace()
  const { data, error, refetch } = useQuery(notificationSettingsQuery(organization.Id))
  return (
    <OptionSection
      name="notificationsettings"
      title={t('notificationSettings.title')}
      lead={t('notificationSettings.lead')}
    >
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines count={10} />}
      {data && <Kinds stored={data.settings} />}
    </OptionSection>
  )
}

function Kinds({ stored }: { stored: Settings }) {
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const { shown, change } = useInstant(`notifications:${organizationId}`, stored, async (settings) => {
    const saved = await call(saveNotificationSettings, { organizationId, settings })
    client.setQueryData(notificationSettingsQuery(organizationId).queryKey, saved)
  })
  return (
    <div className={classes.kinds}>
      {shown.map(({ kind, mode }) => (
        <KindRow
          key={kind}
          kind={kind}
          mode={mode}
          onChange={(next) =>
            change(shown.map((setting) => (setting.kind === kind ? { kind, mode: next } : setting)))
          }
        />
      ))}
    </div>
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
