/** The organisations of the person; choosing one opens the same page for it. */
import { Menu, UnstyledButton } from '@mantine/core'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import headerClasses from '../shell/header/header.module.css'
import { NumberLine } from '../shell/header/header-buttons.tsx'
import type { Organization } from '../shell/session/session.ts'
import { CheckIcon, ChevronDownIcon } from '../ui/look/icons.tsx'
import { addressOf, portalPages, usePortal } from './shared/place.ts'

export function OrganizationChooser() {
  const { t } = useTexts()
  const { session, offered } = usePortal()
  const choose = useChoice()
  if (!offered) return null
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <UnstyledButton className={headerClasses.organization}>
          <span>
            <span className="only-heard">{t('shell:header.organization')}: </span>
            <b>{offered.ShortName}</b>
            <small>
              <NumberLine number={offered.Bin} />
            </small>
          </span>
          <ChevronDownIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {session.organizations.map((organization) => (
          <Menu.Item
            key={organization.Id}
            rightSection={organization === offered ? <CheckIcon size={16} /> : null}
            onClick={() => choose(organization)}
          >
            <b>{organization.ShortName}</b>
            <br />
            <small>
              <NumberLine number={organization.Bin} />
            </small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function useChoice() {
  const navigate = useNavigate()
  const { returnUri } = usePortal()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const here = portalPages.find((page) => path.toLowerCase().endsWith(`/${page}`)) ?? 'card'
  return (organization: Organization) =>
    void navigate({
      to: addressOf(here),
      params: { organizationId: organization.Id },
      search: returnUri === null ? {} : { returnUri },
    })
}
