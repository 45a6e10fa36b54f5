import { Radio } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { saveUserOptions } from '@kelisim/domain/options/contract.ts'
import type { getGroups } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { EmptyPicture } from '../ui/look/pictures.tsx'
import { State } from '../ui/page/states.tsx'
import { PortalButton } from './portal-button.tsx'
import { OptionSection } from './shared/option-section.tsx'
import classes from './shared/options.module.css'
import { myGroupsQuery, userOptionsQuery } from './shared/queries.ts'
import { useInstant } from './shared/use-instant.ts'

type Group = z.output<typeof getGroups.result>['items'][number]

export function QuickSendGroup() {
  const { t } = useTexts('options')
  const { organization, options } = useWorkplace()
  const mine = useQuery(myGroupsQuery(organization.Id))
  const chosen = useQuery(userOptionsQuery(organization.Id))
  const error = mine.error ?? chosen.error
  const isOff = !options.isQuickRequestAllowed && !options.allowed.manageOrganization
  const hasGroups = mine.data !== undefined && mine.data.items.length > 0
  return (
    <OptionSection name="groups" title={t('groups.title')} {...(!isOff && { lead: t('groups.lead') })}>
      {isOff && <State picture={<EmptyPicture />} title={t('groups.offTitle')} text={t('groups.offText')} />}
      {!isOff && error && (
        <LoadFailed error={error} onRetry={() => void Promise.all([mine.refetch(), chosen.refetch()])} />
      )}
      {!isOff && !error && !(mine.data && chosen.data) && <LoadingLines />}
      {!isOff && mine.data?.items.length === 0 && (
        <State picture={<EmptyPicture />} title={t('groups.noneTitle')} text={t('groups.noneText')}>
          <PortalButton page="groups" />
        </State>
      )}
      {!isOff && hasGroups && chosen.data && (
        <GroupChoice groups={mine.data.items} stored={chosen.data.quickSendGroupId} />
      )}
    </OptionSection>
  )
}

/** The value of "none" in the form; ids are never empty. */
const notChosen = ''

function GroupChoice({ groups, stored }: { groups: Group[]; stored: string | null }) {
  const { t } = useTexts('options')
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const { shown, change } = useInstant(
    `quick-send-group:${organizationId}`,
    stored,
    async (quickSendGroupId) => {
      const saved = await call(saveUserOptions, { organizationId, quickSendGroupId })
      client.setQueryData(userOptionsQuery(organizationId).queryKey, saved)
    },
  )
  const value = shown ?? notChosen
  return (
    <div className={classes.controls}>
      <Radio.Group
        label={t('groups.label')}
        value={value}
        onChange={(next) => change(next === notChosen ? null : next)}
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
      <div className={classes.buttons}>
        <PortalButton page="groups" />
      </div>
    </div>
  )
}
