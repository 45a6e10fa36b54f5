import { getDocuments } from '@kelisim/domain/documents/contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'

const mostDocuments = 10
const mostRoutes = 20

/** Documents to choose from; with a name, those that fit it. */
export function documentChoicesQuery(organizationId: string, path: 'my' | 'public', name = '') {
  return query(getDocuments, { organizationId, skip: 0, take: mostDocuments, path, ...(name && { name }) })
}

/** Routes to choose from; with a name, those that fit it. */
export function routeChoicesQuery(organizationId: string, name = '') {
  return query(routeCalls.list, {
    organizationId,
    skip: 0,
    take: mostRoutes,
    isActive: 'true',
    sort: 'name',
    ...(name && { name }),
  })
}
