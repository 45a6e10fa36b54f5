/** The current organisation and the others of the person (docs/product/identity-and-organisations.md). */
import { useState } from 'react'
import { Menu } from '@mantine/core'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { CheckIcon, PlusIcon } from '../../ui/look/icons.tsx'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { typedText } from '../../ui/form/typed-text.ts'
import { NumberLine, OrganizationButton } from './header-buttons.tsx'
import classes from './header.module.css'
import { useSwitch } from '../session/organization-switch.ts'
import { useWorkplace } from '../session/session.ts'

const manyOrganizations = 7

export function OrganizationMenu({ isOpenAtFirst }: LazyMenuProps) {
  const { t } = useTexts()
  const { session, organization } = useWorkplace()
  const [filter, setFilter] = useState('')
  const { ask } = useSwitch()
  const wanted = filter.toLocaleLowerCase()
  const shown = session.organizations.filter(
    (o) => o.ShortName.toLocaleLowerCase().includes(wanted) || o.Bin.includes(wanted),
  )
  return (
    <Menu
      position="bottom-end"
      width={320}
      defaultOpened={isOpenAtFirst ?? false}
      onClose={() => setFilter('')}
    >
      <Menu.Target>
        <OrganizationButton />
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {session.organizations.length > manyOrganizations && (
          <input
            className={classes.filter}
            type="search"
            aria-label={t('shell:header.findOrganization')}
            placeholder={t('shell:header.findOrganization')}
            value={filter}
            onChange={(event) => setFilter(typedText(event))}
          />
        )}
        {shown.map((other) => (
          <Menu.Item
            key={other.Id}
            rightSection={other.Id === organization.Id ? <CheckIcon size={16} /> : null}
            onClick={() => other.Id !== organization.Id && ask(other)}
          >
            <b>{other.ShortName}</b>
            <br />
            <small>
              <NumberLine number={other.Bin} />
              {!other.IsConfirmed && ` · ${t('unconfirmed')}`}
            </small>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component="a"
          href={inOrganization(`${pages.login}?changeAccount=true`, organization.Id)}
          leftSection={<PlusIcon size={18} />}
        >
          {t('shell:header.addOrganization')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
