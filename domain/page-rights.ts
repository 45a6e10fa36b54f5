/** The rights that pages of an organisation need, in one table, so that all pages treat missing rights alike. */
import type { MenuRights } from './shell.ts'

type PageRight = Exclude<keyof MenuRights, 'isQuickRequestAllowed'>

/** The first matching pattern counts; addresses are in lower case. */
const rightsOfPages: readonly [address: RegExp, right: PageRight][] = [
  [/^\/(documents|points|signaturepointsroutes|signaturepointsroutetemplates)\/organization$/, 'isOwner'],
  [/^\/classificators\/add$/, 'isOwner'],
  [/^\/points\/add$/, 'editPoints'],
  [/^\/signaturepointsroute(s|templates)\/add$/, 'editRoutes'],
  [/^\/options\/(quicksend|pointsandroutesrolespermissions)$/, 'isOwner'],
  [/^\/options\/(documentprintingoptions|documentextensionpermissions)$/, 'isOwner'],
  [/^\/options\/(counterpartypointoptions|documentgenerationreportoptions)$/, 'isOwner'],
]

/** False if the page needs a right that the person does not have. */
export function mayOpen(path: string, rights: MenuRights): boolean {
  const address = path.toLowerCase().replace(/\/+$/, '')
  const needed = rightsOfPages.find(([pattern]) => pattern.test(address))?.[1]
  return needed === undefined || rights[needed]
}
