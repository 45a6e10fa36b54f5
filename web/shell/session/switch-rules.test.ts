import { expect, test } from 'vitest'
import { afterSwitch } from './switch-rules.ts'

test.each([
  // from an add or edit page to the matching list, after asking
  ['/points/add', '/points/my', true],
  ['/points/internal/01a1', '/points/my', true],
  ['/points/01a1dd39', '/points/my', true],
  ['/documents/my/01a1', '/documents/my', true],
  ['/signaturePointsRoutes/add', '/signaturePointsRoutes/my', true],
  ['/signaturePointsRouteTemplates/public/01a1', '/signaturePointsRouteTemplates/my', true],
  ['/classificators/add', '/classificators', true],
  ['/document-templates/new', '/document-templates', true],
  ['/document-templates/my/01a1', '/document-templates', true],
  ['/documents/write', '/documents/my', true],
  ['/documents/write/01a1', '/documents/my', true],
  ['/signingRequests/add', '/signingRequests/outgoings', true],
  ['/signingRequests/addQuick/01a1', '/signingRequests/outgoings', true],
  ['/signingRequests/addPackage', '/signingRequests/outgoings', true],
  ['/campaigns/add', '/campaigns', true],
  ['/campaigns/add/01a1', '/campaigns', true],
  // from one request, campaign, sending in bulk or journal to its list
  ['/signingRequests/incomings/01a1', '/signingRequests/incomings', false],
  ['/signingRequests/outgoings/01a1', '/signingRequests/outgoings', false],
  ['/signingRequests/01a1', '/signingRequests/incomings', false],
  ['/campaigns/01a1', '/campaigns', false],
  ['/bulk/01a1', '/bulk', false],
  ['/journals/01a1', '/journals', false],
  // everything else stays on its page
  ['/points/counterParty', '/points/counterParty', false],
  ['/documents/public', '/documents/public', false],
  ['/document-templates/public', '/document-templates/public', false],
  ['/classificators', '/classificators', false],
  ['/campaigns', '/campaigns', false],
  ['/journals/kinds', '/journals/kinds', false],
  ['/options/quicksend', '/options/quicksend', false],
  ['/frame/instruction', '/frame/instruction', false],
] as const)('from %s a switch leads to %s (asks first: %s)', (from, to, asksFirst) => {
  expect(afterSwitch(from)).toEqual({ path: to, asksFirst })
})
