import { Radio } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { saveUserOptions } from '@kelisim/domain/options/contract.ts'
import type { getGroups } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { FormFields, SubmitButton, useApiForm } from '../ui/form/form.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { EmptyPicture } from '../ui/look/pictures.tsx'
import { State } from '../ui/page/states.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import classes from './shared/options.module.css'
import { PortalButton } from './portal-button.tsx'
import { myGroupsQuery, userOptionsQuery } from './shared/queries.ts'

type Group = z.output<typeof getGroups.result>['items'][number]

export function QuickSendGroup() {
  const { t } = useTexts('options')
  const { organization, options } = useWorkplace()
  const mine = useQuery(myGroupsQuery(organization.Id))
  const chosen = useQuery(userOptionsQuery(organization.Id))
  const error = mine.error ?? chosen.error
  const isOff = !options.isQuickRequestAllowed && !options.allowed.manageOrganization
  if (isOff) {
    return (
      <Page title={t('groups.title')} isNarrow>
        <State picture={<EmptyPicture />} title={t('groups.offTitle')} text={t('groups.offText')} />
      </Page>
    )
  }
  return (
    <Page title={t('groups.title')} lead={t('groups.lead')} isNarrow>
      {error && (
        <LoadFailed error={error} onRetry={() => void Promise.all([mine.refetch(), chosen.refetch()])} />
      )}
      {!error && !(mine.data && chosen.data) && <LoadingLines />}
      {mine.data?.items.length === 0 && (
        <Card>
          <State picture={<EmptyPicture />} title={t('groups.noneTitle')} text={t('groups.noneText')}>
            <PortalButton page="groups" />
          </State>
        </Card>
      )}
      {mine.data && mine.data.items.length > 0 && chosen.data && (
        <GroupForm groups={mine.data.items} chosen={chosen.data.quickSendGroupId} />
      )}
    </Page>
  )
}

/** The value of "none" in the form; ids are never empty. */
const notChosen = ''

function GroupForm({ groups, chosen }: { groups: Group[]; chosen: string | null }) {
  const { t } = useTexts('options')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const fixed = { organizationId: organization.Id }
  const form = useApiForm({
    id: `quick-send-group:${organization.Id}`,
    endpoint: saveUserOptions,
    fixed,
    initial: { quickSendGroupId: chosen },
    onDone: (saved) => {
      client.setQueryData(userOptionsQuery(organization.Id).queryKey, saved)
      toast(t('common:saved'))
    },
  })
  const value = form.values.quickSendGroupId ?? notChosen
  return (
    <FormFields form={form} label={t('groups.title')}>
      <Card>
        <Radio.Group
          label={t('groups.label')}
          value={value}
          onChange={(next) => form.set('quickSendGroupId', next === notChosen ? null : next)}
        >
          <RadioCards>
            {groups.map((group) => (
              <RadioCard
                key={group.id}
                value={group.id}
                isSelected={group.id === value}
                label={group.name}
                help={t('groups.participants', {
                  names: group.participants.map((participant) => participant.fullName).join(', '),
                })}
              />
            ))}
            <RadioCard value={notChosen} isSelected={value === notChosen} label={t('groups.notChosen')} />
          </RadioCards>
        </Radio.Group>
      </Card>
      <div className={classes.buttons}>
        <SubmitButton onlyWhenDirty>{t('common:actions.save')}</SubmitButton>
        <PortalButton page="groups" />
      </div>
    </FormFields>
  )
}
