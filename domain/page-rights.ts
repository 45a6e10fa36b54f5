/** Which pages of an organisation need a right: one table for every address, so that no page answers otherwise than its neighbour. */
import type { MenuRights } from './shell.ts'

type PageRight = Exclude<keyof MenuRights, 'isQuickRequestAllowed'>

/** The first that fits counts; addresses in lower case. */
const rightsOfPages: readonly [address: RegExp, right: PageRight][] = [
  [/^\/(documents|points|signaturepointsroutes|signaturepointsroutetemplates)\/organization$/, 'isOwner'],
  [/^\/classificators\/add$/, 'isOwner'],
  [/^\/points\/add$/, 'editPoints'],
  [/^\/signaturepointsroute(s|templates)\/add$/, 'editRoutes'],
  [/^\/options\/(quicksend|pointsandroutesrolespermissions)$/, 'isOwner'],
  [/^\/options\/(documentprintingoptions|documentextensionpermissions)$/, 'isOwner'],
  [/^\/options\/(counterpartypointoptions|documentgenerationreportoptions)$/, 'isOwner'],
]

/** False for a page that exists, but not for this person. */
export function mayOpen(path: string, rights: MenuRights): boolean {
  const address = path.toLowerCase().replace(/\/+$/, '')
  const needed = rightsOfPages.find(([pattern]) => pattern.test(address))?.[1]
  return needed === undefined || rights[needed]
}
