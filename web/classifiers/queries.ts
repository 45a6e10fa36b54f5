import {
  classifierSorts,
  defaultClassifierSort,
  getClassifier,
  getClassifiers,
} from '@kelisim/domain/classifiers/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function classifiersQuery(organizationId: string, { skip, take, name, sort: wanted }: ListPosition) {
  const sort = classifierSorts.find((one) => one === wanted) ?? defaultClassifierSort
  return query(getClassifiers, { organizationId, skip, take, sort, ...(name && { name }) })
}

export function classifierQuery(organizationId: string, classificatorId: string) {
  return query(getClassifier, { organizationId, classificatorId })
}
