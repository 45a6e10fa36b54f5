/** Ctrl K: type to go to a section or to switch the organisation. Arrow keys move, Enter opens. */
import { useState, type KeyboardEvent } from 'react'
import { Modal, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { SearchIcon } from '../../ui/look/icons.tsx'
import classes from './find-dialog.module.css'
import { NumberLine } from './header-buttons.tsx'
import { portalAddress } from '../session/portal-address.ts'
import { isElsewhere } from '../menu/menu.ts'
import { useSwitch } from '../session/organization-switch.ts'
import { useMenu } from '../menu/side-menu.tsx'
import { useWorkplace } from '../session/session.ts'

type Found = {
  key: string
  kind: 'sections' | 'organizations'
  title: string
  note: string
  number?: string
  go: () => void
}

const mostShown = 12

export function FindDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts('shell')
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = useFound(typed)
  const open = (place: Found | undefined) => {
    if (!place) return
    onClose()
    place.go()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setChosen((chosen + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') open(found[chosen])
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      yOffset={96}
      centered={false}
      size={560}
      padding={0}
      aria-label={t('find.open')}
    >
      <TextInput
        data-autofocus
        className={classes.input}
        variant="unstyled"
        size="lg"
        role="combobox"
        aria-expanded
        aria-controls="found"
        aria-activedescendant={found[chosen] && `found-${chosen}`}
        aria-label={t('find.placeholder')}
        placeholder={t('find.placeholder')}
        leftSection={<SearchIcon />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <ul className={classes.found} id="found" role="listbox" aria-label={t('find.open')}>
        {found.map((place, i) => (
          // The text field keeps the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={place.key}
            id={`found-${i}`}
            role="option"
            aria-selected={i === chosen}
            className={i === chosen ? classes.chosen : undefined}
            onClick={() => open(place)}
            onMouseMove={() => setChosen(i)}
          >
            <span>{place.title}</span>
            <small>{place.number ? <NumberLine number={place.number} /> : place.note}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={classes.nothing}>{t('find.nothing')}</p>}
    </Modal>
  )
}

function useFound(typed: string): Found[] {
  const { t } = useTexts('shell')
  const navigate = useNavigate()
  const { session, organization } = useWorkplace()
  const { ask } = useSwitch()
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const places: Found[] = useMenu().flatMap((section) =>
    section.groups.flatMap((group) =>
      group.entries
        .filter((entry) => !isElsewhere(entry))
        .map((entry) => ({
          key: entry.to,
          kind: 'sections' as const,
          title: t(entry.text),
          note: [t(section.text), group.text && t(group.text)].filter(Boolean).join(' · '),
          go: () => void navigate({ to: entry.to }),
        })),
    ),
  )
  const organizations: Found[] = session.organizations.map((other) => ({
    key: other.Id,
    kind: 'organizations',
    title: other.ShortName,
    note: '',
    number: other.Bin,
    go: () => ask(other),
  }))
  const portal: Found = {
    key: 'portal',
    kind: 'sections',
    title: t('systems.portal'),
    note: t('header.systems'),
    go: () => window.location.assign(portalAddress(organization.Id)),
  }
  return [...places, portal, ...organizations]
    .filter(({ title, note, number }) => {
      const text = `${title} ${note} ${number ?? ''}`.toLocaleLowerCase()
      return words.every((word) => text.includes(word))
    })
    .slice(0, mostShown)
}
