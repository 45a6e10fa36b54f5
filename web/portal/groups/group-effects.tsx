/** The effects of a change of a group on requests that wait for the group, shown before the change is saved. */
import { useState } from 'react'
import { Alert, Anchor, Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { previewGroup, previewRemoval } from '@kelisim/domain/portal/contract.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import classes from '../shared/portal.module.css'

const pageSize = 5
const mostShown = 100

export function useGroupEffects(change: {
  organizationId: string
  groupId: string | null
  participants: readonly string[]
  /** Somebody leaves the group; other changes have no effects. */
  isHarmful: boolean
}) {
  const { organizationId, groupId, participants, isHarmful } = change
  const [take, setTake] = useState(pageSize)
  const { data, refetch } = useQuery({
    ...query(previewGroup, {
      organizationId,
      groupId: groupId ?? '',
      participants: [...participants],
      skip: 0,
      take,
    }),
    enabled: groupId !== null && isHarmful,
    placeholderData: keepPreviousData,
    // Always reloaded, because people may have acted since the dialog was last opened.
    staleTime: 0,
  })
  return {
    effects: isHarmful ? data : undefined,
    refetch,
    showMore: () => setTake(Math.min(take + pageSize * 2, mostShown)),
  }
}

/** The effects of removing a person from all their groups; `userId` is null while no removal is planned. */
export function useRemovalEffects(organizationId: string, userId: string | null) {
  const [take, setTake] = useState(pageSize)
  const { data, refetch } = useQuery({
    ...query(previewRemoval, { organizationId, userId: userId ?? '', skip: 0, take }),
    enabled: userId !== null,
    staleTime: 0,
  })
  return {
    effects: userId === null ? undefined : data,
    refetch,
    showMore: () => setTake(Math.min(take + pageSize * 2, mostShown)),
  }
}

/** Warns of the programs that stop when the person is no longer an owner. */
export function EndingPrograms({ programs }: { programs: readonly string[] }) {
  const { t } = useTexts()
  if (programs.length === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<WarningIcon size={20} />}>
      {t('portal:members.programsEnd', { names: programs.join(', ') })}
    </Alert>
  )
}

type Effects = NonNullable<ReturnType<typeof useGroupEffects>['effects']>

export function GroupEffects(props: { effects: Effects; title?: string; onMore: () => void }) {
  const { t } = useTexts()
  const { items, totalCount } = props.effects
  if (totalCount === 0) return null
  const left = totalCount - items.length
  return (
    <Alert color="yellow" variant="light" role="alert" icon={<WarningIcon size={20} />}>
      <p>
        <b>{props.title ?? t('portal:groups.effects.title', { count: totalCount })}</b>
      </p>
      <ul className={classes.effects}>
        {items.map(({ requestId, name, effect }) => (
          <li key={requestId}>
            {name === null ? (
              t('portal:groups.effects.unnamed')
            ) : (
              <Anchor
                href={requestPage(requestId)}
                target="_blank"
                rel="noreferrer"
                underline="always"
                inherit
              >
                {name}
              </Anchor>
            )}
            <small>{t(`portal:groups.effects.${effect}`)}</small>
          </li>
        ))}
      </ul>
      {left > 0 && items.length < mostShown && (
        <Button variant="subtle" size="compact-sm" onClick={props.onMore}>
          {t('portal:groups.effects.more', { count: left })}
        </Button>
      )}
    </Alert>
  )
}
