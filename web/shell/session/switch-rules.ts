/**
 * Where a switch of the organisation leads: from an add or edit page to the matching `my` list, after asking; from a
 * request, a campaign, a sending in bulk or a journal to its list, without the id; from everywhere else to the same
 * page.
 */
import { pages } from '@kelisim/domain/pages.ts'

export function afterSwitch(path: string): { path: string; asksFirst: boolean } {
  const [first = '', second = '', third] = path.split('/').filter((part) => part !== '')
  switch (first.toLowerCase()) {
    case 'signingrequests':
      if (/^add(quick|package)?$/i.test(second)) return { path: pages.outgoingRequests, asksFirst: true }
      return {
        path: /^outgoings$/i.test(second) ? pages.outgoingRequests : pages.incomingRequests,
        asksFirst: false,
      }
    case 'documents':
    case 'points':
    case 'signaturepointsroutes':
    case 'signaturepointsroutetemplates': {
      const isPage = third !== undefined || !isListPath(second)
      return isPage ? { path: `/${first}/my`, asksFirst: true } : { path, asksFirst: false }
    }
    case 'classificators':
    case 'document-templates': {
      const isList = /^(all)?$/i.test(second) || isListPath(second)
      const isPage = third !== undefined || !isList
      return isPage ? { path: `/${first}`, asksFirst: true } : { path, asksFirst: false }
    }
    case 'campaigns':
      return { path: `/${first}`, asksFirst: /^add$/i.test(second) }
    case 'bulk':
      return { path: `/${first}`, asksFirst: false }
    case 'journals':
      return { path: /^kinds$/i.test(second) ? path : `/${first}`, asksFirst: false }
    default:
      return { path, asksFirst: false }
  }
}

const listPaths = ['my', 'public', 'organization', 'internal', 'external', 'counterparty']

export function isListPath(part: string): boolean {
  return listPaths.includes(part.toLowerCase())
}
