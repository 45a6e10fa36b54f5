/** The menu that shows and hides columns of a list and sets the height of its rows. */
import { Menu } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { ColumnsButton, type ColumnsChoice } from './columns-button.tsx'
import type { LazyMenuProps } from '../browser/lazy-menu.tsx'

export function ColumnsMenu(props: ColumnsChoice & LazyMenuProps) {
  const { t } = useTexts()
  const { columns, hidden, onChange, isDense, onDense, isOpenAtFirst } = props
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
        <Menu.Divider />
        <Menu.CheckboxItem checked={isDense} onChange={onDense}>
          {t('list.dense')}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}
