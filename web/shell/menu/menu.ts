/** The menu as data: six sections with their entries by role and permission (docs/product/interface.md). */
import { helpPage } from '@kelisim/domain/help/documents.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { sectionOfPage, type MenuRights, type SectionName } from '@kelisim/domain/shell.ts'
import type { KeyOf } from '../../i18n/use-texts.ts'

export type MenuText = KeyOf<'shell'>
export type MenuEntry = {
  text: MenuText
  to: string
  /** Opens in a new tab: not a page of the application. */
  isOutside?: boolean
  /** A file to download. */
  isDownload?: boolean
}
export type MenuGroup = { text: MenuText | null; entries: MenuEntry[] }
export type MenuSection = { name: SectionName; text: MenuText; groups: MenuGroup[] }

export function menuFor(rights: MenuRights): MenuSection[] {
  const { isOwner, editPoints, editRoutes } = rights
  const owned = (base: string): MenuEntry[] => [
    { text: 'menu.my', to: `${base}/my` },
    { text: 'menu.public', to: `${base}/public` },
    ...when(isOwner, { text: 'menu.organization', to: `${base}/organization` }),
  ]
  const made = (base: string, mayAdd: boolean): MenuEntry[] => [
    ...owned(base),
    ...when(mayAdd, { text: 'menu.new', to: `${base}/add` }),
  ]
  return [
    {
      name: 'documents',
      text: 'menu.sections.documents',
      groups: [
        {
          text: null,
          entries: [
            { text: 'menu.incoming', to: pages.incomingRequests },
            { text: 'menu.outgoing', to: pages.outgoingRequests },
            { text: 'menu.bulk', to: '/bulk' },
            ...when(isOwner, { text: 'menu.campaigns', to: '/campaigns' }),
          ],
        },
        { text: 'menu.groups.uploaded', entries: owned('/documents') },
        {
          text: 'menu.groups.templates',
          entries: [
            { text: 'menu.new', to: '/document-templates/new' },
            { text: 'menu.all', to: '/document-templates' },
          ],
        },
        {
          text: 'menu.groups.registers',
          entries: [
            { text: 'menu.journals', to: '/journals' },
            { text: 'menu.documentKinds', to: '/journals/kinds' },
          ],
        },
      ],
    },
    {
      name: 'routes',
      text: 'menu.sections.routes',
      groups: [
        { text: 'menu.groups.routes', entries: made('/signaturePointsRoutes', editRoutes) },
        { text: 'menu.groups.routeTemplates', entries: made('/signaturePointsRouteTemplates', editRoutes) },
      ],
    },
    {
      name: 'points',
      text: 'menu.sections.points',
      groups: [
        {
          text: null,
          entries: [
            ...when(editPoints, { text: 'menu.new', to: '/points/add' }),
            ...owned('/points'),
            { text: 'menu.internal', to: '/points/internal' },
            { text: 'menu.external', to: '/points/external' },
            { text: 'menu.counterParty', to: '/points/counterParty' },
          ],
        },
      ],
    },
    {
      name: 'classifiers',
      text: 'menu.sections.classifiers',
      groups: [
        {
          text: null,
          entries: [
            { text: 'menu.list', to: '/classificators' },
            ...when(isOwner, { text: 'menu.new', to: '/classificators/add' }),
          ],
        },
      ],
    },
    { name: 'options', text: 'menu.sections.options', groups: optionGroups(rights) },
    {
      name: 'help',
      text: 'menu.sections.help',
      groups: [
        {
          text: null,
          entries: [
            { text: 'menu.whatIs', to: '/', isOutside: true },
            { text: 'menu.check', to: pages.verify, isOutside: true },
            { text: 'menu.instruction', to: helpPage('instruction') },
            { text: 'menu.accounting', to: helpPage('accounting-integration') },
            { text: 'menu.offer', to: helpPage('contract-offer') },
            { text: 'menu.rules', to: helpPage('service-rules') },
            { text: 'menu.personalData', to: helpPage('personal-data-agreement') },
            { text: 'menu.priceList', to: '/files/price-list.pdf', isDownload: true },
            { text: 'menu.videos', to: helpPage('videos') },
          ],
        },
      ],
    },
  ]
}

function optionGroups({ isOwner, isQuickRequestAllowed }: MenuRights): MenuGroup[] {
  const user: MenuGroup = {
    text: 'menu.groups.userOptions',
    entries: [
      { text: 'menu.notificationSettings', to: pages.notificationSettings },
      ...when(isOwner || isQuickRequestAllowed, { text: 'menu.quickSendGroups', to: '/options/groups' }),
    ],
  }
  const organization: MenuGroup = {
    text: 'menu.groups.organizationOptions',
    entries: [
      { text: 'menu.quickSend', to: '/options/quicksend' },
      { text: 'menu.rolePermissions', to: '/options/PointsAndRoutesRolesPermissions' },
      { text: 'menu.printing', to: '/options/DocumentPrintingOptions' },
      { text: 'menu.extensions', to: '/options/DocumentExtensionPermissions' },
      { text: 'menu.counterPartyOptions', to: '/options/CounterPartyPointOptions' },
      { text: 'menu.report', to: '/options/DocumentGenerationReportOptions' },
    ],
  }
  return isOwner ? [user, organization] : [user]
}

function when(condition: boolean, entry: MenuEntry): MenuEntry[] {
  return condition ? [entry] : []
}

/** True for links to files and other sites. */
export function isElsewhere({ isOutside, isDownload }: MenuEntry): boolean {
  return Boolean(isOutside ?? isDownload)
}

/** The section of a page, which is open in the menu. */
export function sectionOf(path: string): SectionName {
  return sectionOfPage(path) ?? 'documents'
}

/** Whether the entry leads to this very page; the pages below it have no current entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  const here = path.toLowerCase().replace(/\/$/, '')
  return here === entry.to.toLowerCase()
}
