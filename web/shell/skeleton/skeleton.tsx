/**
 * The header and the menu before any script runs: with the same style sheets and texts, but without anything that
 * depends on the person. It contains the entries for all rights; `data-not` lists the masks of rights that lack an
 * entry.
 */
import { allMenuRights, type SectionName } from '@kelisim/domain/shell.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { BrandLink } from '../../ui/look/brand.tsx'
import {
  BellIcon,
  ChevronDownIcon,
  ChevronRightIcon,
  DownloadIcon,
  ExternalIcon,
  MenuIcon,
  PlusIcon,
  SearchIcon,
} from '../../ui/look/icons.tsx'
import header from '../header/header.module.css'
import layout from '../layout/default-layout.module.css'
import { menuFor, type MenuEntry, type MenuSection, type MenuText } from '../menu/menu.ts'
import { sectionIcons } from '../menu/section-icons.ts'
import menu from '../menu/side-menu.module.css'
import own from './skeleton.module.css'

export type SkeletonTexts = {
  product: string
  language: string
  shell: (key: MenuText) => string
  /** The section that is open. */
  section: SectionName
}

export function Skeleton(texts: SkeletonTexts) {
  return (
    <>
      <SkeletonHeader {...texts} />
      <aside className={layout.menu}>
        <div className={menu.menu}>
          <span className={own.newDocument}>
            <PlusIcon />
            <span>{texts.shell('menu.newDocument')}</span>
          </span>
          {menuFor(allMenuRights.at(-1)!).map((section) => (
            <SkeletonSection key={section.name} section={section} texts={texts} />
          ))}
        </div>
      </aside>
    </>
  )
}

function SkeletonHeader({ product, language, shell }: SkeletonTexts) {
  return (
    <header className={header.header}>
      <span className={header.menuButton}>
        <MenuIcon size={24} />
      </span>
      <BrandLink href={pages.today} name={product} isCompactOnPhone />
      <span className={header.wider}>
        <span className={header.systems}>
          {shell('systems.documents')}
          <ChevronDownIcon size={16} />
        </span>
      </span>
      <span className={header.find}>
        <SearchIcon size={18} />
        <span>{shell('find.open')}</span>
        <kbd data-keys="Ctrl K" />
      </span>
      <span className={header.grow} />
      <span className={header.wide}>
        <span className={`${header.organization} ${own.organization}`} />
        <span className={header.ring}>
          <svg width="44" height="44" viewBox="0 0 44 44" fill="none" strokeWidth="4">
            <circle cx="22" cy="22" r="18" stroke="var(--line)" />
          </svg>
        </span>
      </span>
      <span className={header.bell}>
        <BellIcon size={22} />
      </span>
      <span className={header.wide}>
        <span className={header.button}>
          {language}
          <ChevronDownIcon size={16} />
        </span>
      </span>
      <span className={`${header.person} ${own.person}`} />
    </header>
  )
}

function SkeletonSection({ section, texts }: { section: MenuSection; texts: SkeletonTexts }) {
  const Icon = sectionIcons[section.name]
  const isOpen = section.name === texts.section
  return (
    <div className={menu.section}>
      <span className={isOpen ? menu.openHead : menu.head}>
        <Icon />
        {texts.shell(section.text)}
        {isOpen ? <ChevronDownIcon size={18} /> : <ChevronRightIcon size={18} />}
      </span>
      {isOpen &&
        section.groups.map((group) => (
          <div key={group.text ?? section.name} {...hiddenFor(rightsWithout(...group.entries))}>
            {group.text && <p className={menu.group}>{texts.shell(group.text)}</p>}
            <ul>
              {group.entries.map((entry) => (
                <li key={entry.to} {...hiddenFor(rightsWithout(entry))}>
                  <span className={menu.entry} data-to={entry.to.toLowerCase()}>
                    {texts.shell(entry.text)}
                    {entry.isOutside && <ExternalIcon size={16} />}
                    {entry.isDownload && <DownloadIcon size={16} />}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  )
}

/** The masks of rights for which the menu has none of these entries. */
function rightsWithout(...entries: MenuEntry[]): number[] {
  return addressesByRights.flatMap((addresses, mask) =>
    entries.some(({ to }) => addresses.has(to)) ? [] : [mask],
  )
}

const addressesByRights = allMenuRights.map(
  (rights) =>
    new Set(menuFor(rights).flatMap(({ groups }) => groups.flatMap((g) => g.entries.map(({ to }) => to)))),
)

function hiddenFor(masks: number[]): { 'data-not'?: string } {
  return masks.length > 0 ? { 'data-not': masks.join(' ') } : {}
}

/** CSS rules that hide entries according to `data-rights`, which the server writes (server/http/site/skeleton.ts). */
export function rulesOfSkeleton(): string {
  return allMenuRights
    .map((_, mask) => `[data-rights="${mask}"] [data-not~="${mask}"]{display:none}`)
    .join('')
}
