/** The menu in which columns of a list are shown and hidden. */
import { Menu } from '@mantine/core'
import { ColumnsButton, type ColumnsChoice } from './columns-button.tsx'
import type { LazyMenuProps } from '../browser/lazy-menu.tsx'

export function ColumnsMenu({ columns, hidden, onChange, isOpenAtFirst }: ColumnsChoice & LazyMenuProps) {
  return (
    <Menu position="bottom-end" defaultOpened={isOpenAtFirst ?? false}>
      <Menu.Target>
        <ColumnsButton />
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!hidden.includes(key)}
            onChange={(isShown) => onChange(isShown ? hidden.filter((k) => k !== key) : [...hidden, key])}
          >
            {title}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
