/** The left menu: the New document button, six sections with the current one open, and the version. */
import { useEffect, useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { countWaiting } from '@kelisim/domain/requests/list-contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { minute } from '@kelisim/domain/durations.ts'
import {
  menuMask,
  shellCookie,
  shellCookieMaxAge,
  shellHint,
  type SectionName,
} from '@kelisim/domain/shell.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { pageConfig } from '../../api/page-config.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { clearDirty, useIsDirty } from '../../ui/form/dirty.ts'
import { dropAllDrafts } from '../../ui/form/drafts.ts'
import {
  ChevronDownIcon,
  ChevronRightIcon,
  DownloadIcon,
  ExternalIcon,
  PlusIcon,
} from '../../ui/look/icons.tsx'
import { isCurrent, isElsewhere, menuFor, sectionOf, type MenuEntry, type MenuSection } from './menu.ts'
import { sectionIcons } from './section-icons.ts'
import classes from './side-menu.module.css'
import { useMenuRights } from '../session/menu-rights.ts'
import { useWorkplace } from '../session/session.ts'

/** The menu for this person and organisation. */
export function useMenu(): MenuSection[] {
  return menuFor(useMenuRights())
}

/** Stores in a cookie which menu the skeleton of the next page load has to show (server/http/site/skeleton.ts). */
function useMenuRemembered(): void {
  const mask = menuMask(useMenuRights())
  useEffect(() => {
    const hint = shellHint(mask, new Date())
    document.cookie = `${shellCookie}=${hint}; path=/; max-age=${shellCookieMaxAge}; samesite=lax`
  })
}

export function SideMenu() {
  const { t } = useTexts('shell')
  const sections = useMenu()
  const navigate = useNavigate()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const current = sectionOf(path)
  // A section that the person opened stays open until a page of another section is opened.
  const [byHand, setByHand] = useState({ from: current, section: current })
  const open = byHand.from === current ? byHand.section : current
  const setOpen = (section: SectionName) => setByHand({ from: current, section })
  const [wanted, setWanted] = useState<SectionName | null>(null)
  const isPageDirty = useIsDirty()
  useMenuRemembered()

  return (
    <nav className={classes.menu} aria-label={t('header.menu')}>
      <Button
        fullWidth
        size="lg"
        leftSection={<PlusIcon />}
        onClick={() =>
          void navigate({ to: '/documents/$path', params: { path: 'my' }, search: { upload: true } })
        }
      >
        {t('menu.newDocument')}
      </Button>
      {sections.map((section) => (
        <Section
          key={section.name}
          section={section}
          path={path}
          isOpen={section.name === open}
          onOpen={() => (isPageDirty ? setWanted(section.name) : setOpen(section.name))}
        />
      ))}
      <p className={classes.version}>{t('menu.version', { version: pageConfig.version })}</p>
      <LeaveSection
        isOpen={wanted !== null}
        onYes={() => {
          clearDirty()
          dropAllDrafts()
          setOpen(wanted ?? current)
          setWanted(null)
          const first = sections
            .find((s) => s.name === wanted)
            ?.groups[0]?.entries.find((e) => !isElsewhere(e))
          if (first) void navigate({ to: first.to })
        }}
        onNo={() => setWanted(null)}
      />
    </nav>
  )
}

/** The menu does not switch sections while the page has unsaved changes: the guard asks first. */
function LeaveSection(props: { isOpen: boolean; onYes: () => void; onNo: () => void }) {
  const { t } = useTexts()
  return <ConfirmDialog {...props} title={t('dirty.title')} text={t('dirty.text')} yes={t('actions.leave')} />
}

function Section(props: { section: MenuSection; path: string; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTexts('shell')
  const { section, path, isOpen } = props
  const Icon = sectionIcons[section.name]
  return (
    <div className={classes.section}>
      <button
        type="button"
        className={isOpen ? classes.openHead : classes.head}
        aria-expanded={isOpen}
        onClick={props.onOpen}
      >
        <Icon />
        {t(section.text)}
        {isOpen ? <ChevronDownIcon size={18} /> : <ChevronRightIcon size={18} />}
      </button>
      {isOpen &&
        section.groups.map((group) => (
          <div
            key={group.text ?? section.name}
            role="group"
            {...(group.text && { 'aria-label': t(group.text) })}
          >
            {group.text && <p className={classes.group}>{t(group.text)}</p>}
            <ul>
              {group.entries.map((entry) => (
                <li key={entry.to}>
                  {entry.to === pages.incomingRequests ? (
                    <IncomingEntry entry={entry} isCurrent={isCurrent(entry, path)} />
                  ) : (
                    <Entry entry={entry} isCurrent={isCurrent(entry, path)} />
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  )
}

const askedAgainAfter = minute
const mostCounted = 100

/** The entry with the number of waiting requests, shown at the end of the line and announced after the name. */
function IncomingEntry(props: { entry: MenuEntry; isCurrent: boolean }) {
  const { organization } = useWorkplace()
  const { data } = useQuery({
    ...query(countWaiting, { organizationId: organization.Id }),
    refetchInterval: askedAgainAfter,
  })
  return <Entry {...props} waiting={data?.count ?? 0} />
}

/** Downloads the file for the current organisation. */
function DownloadEntry({ entry }: { entry: MenuEntry }) {
  const { t } = useTexts('shell')
  const { organization } = useWorkplace()
  return (
    <a className={classes.entry} href={`${entry.to}?organizationId=${organization.Id}&download`} download>
      {t(entry.text)}
      <DownloadIcon size={16} />
    </a>
  )
}

type EntryProps = { entry: MenuEntry; isCurrent: boolean; waiting?: number }

function Entry({ entry, isCurrent: isHere, waiting = 0 }: EntryProps) {
  const { t } = useTexts('shell')
  const count = waiting > mostCounted ? `${mostCounted}+` : String(waiting)
  if (entry.isOutside) {
    return (
      <a className={classes.entry} href={entry.to} target="_blank" rel="noopener">
        {t(entry.text)}
        <ExternalIcon size={16} />
      </a>
    )
  }
  if (entry.isDownload) return <DownloadEntry entry={entry} />
  return (
    <Link
      className={isHere ? classes.current : classes.entry}
      to={entry.to}
      {...(isHere && { 'aria-current': 'page' as const })}
      {...(waiting > 0 && {
        'data-count': count,
        'aria-label': t('menu.waiting', { title: t(entry.text), count }),
      })}
    >
      {t(entry.text)}
    </Link>
  )
}
