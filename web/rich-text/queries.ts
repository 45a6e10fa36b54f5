import {
  defaultTemplateSort,
  getTemplate,
  getTemplates,
  getWrittenText,
  templateSorts,
  type TemplatePath,
} from '@kelisim/domain/rich-text/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function templatesQuery(
  organizationId: string,
  path: TemplatePath,
  { skip, take, name, sort: wanted }: ListPosition,
) {
  const sort = templateSorts.find((one) => one === wanted) ?? defaultTemplateSort
  return query(getTemplates, { organizationId, skip, take, path, sort, ...(name && { name }) })
}

const mostChoices = 20

/** Templates to choose from, filtered by the name if one is given. */
export function templateChoicesQuery(organizationId: string, name = '') {
  return query(getTemplates, {
    organizationId,
    skip: 0,
    take: mostChoices,
    path: 'all',
    sort: 'name',
    ...(name && { name }),
  })
}

export function templateQuery(organizationId: string, templateId: string) {
  return query(getTemplate, { organizationId, templateId })
}

export function writtenTextQuery(organizationId: string, documentId: string) {
  return query(getWrittenText, { organizationId, documentId })
}
