/** The directory of an organisation keeps its people and groups here by SCIM 2.0 (docs/product/directory.md). */
import {
  getScimConfig,
  getScimResourceTypes,
  getScimSchemas,
  mostResources,
} from '@kelisim/domain/directory/contract.ts'
import {
  attributeSchemas,
  resourceTypes,
  serviceProviderConfig,
} from '@kelisim/domain/directory/discovery.ts'
import type { Http } from '../http/open.ts'
import { sameHandlers } from '../http/same-handlers.ts'
import { groupCalls } from './group-handlers.ts'
import { mappingHandlers } from './mapping-handlers.ts'
import { scimOn } from './protocol.ts'
import { userCalls } from './user-handlers.ts'
import { listOf } from './views.ts'

/** `tellsGroups`: people sign in at an external service, which may report their groups. */
export async function openDirectory(http: Http, { tellsGroups }: { tellsGroups: boolean }): Promise<void> {
  mappingHandlers(http.serve, tellsGroups)
  const same = sameHandlers(http.handlers)
  await scimOn(http, (serve) => {
    userCalls(serve, same, http.publicUrl)
    groupCalls(serve, same, http.publicUrl)
    const whole = { skip: 0, take: mostResources }
    serve(getScimConfig, async () => serviceProviderConfig)
    serve(getScimResourceTypes, async () => listOf(resourceTypes, resourceTypes.length, whole))
    serve(getScimSchemas, async () => listOf(attributeSchemas, attributeSchemas.length, whole))
  })
}
