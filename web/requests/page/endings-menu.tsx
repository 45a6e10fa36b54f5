/** Withdrawing and terminating: these acts end a request unasked, so they stand apart from the answers. */
import { ActionIcon, Menu } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { DotsIcon } from '../../ui/look/icons.tsx'
import type { RequestAction } from '../shared/request-view.ts'

export function EndingsMenu(props: {
  endings: readonly RequestAction[]
  onAct: (action: RequestAction) => void
}) {
  const { t } = useTexts('requests')
  if (props.endings.length === 0) return null
  return (
    <Menu position="bottom-end" returnFocus={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="var(--ink-2)" size={40} aria-label={t('acts.more')}>
          <DotsIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {props.endings.map((action) => (
          <Menu.Item key={action.act} color="var(--bad)" onClick={() => props.onAct(action)}>
            {t(`acts.${action.act}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
