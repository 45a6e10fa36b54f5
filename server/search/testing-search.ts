/** For tests: searches as a person, and returns what was found in short form. */
import { search, type SearchKind } from '@kelisim/domain/search/contract.ts'
import type { startTestApp } from '../testing.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'call'>

export function searcher({ call }: TestApp) {
  const groups = async (personId: string, organizationId: string, q: string, more: object = {}) =>
    (await call(personId, search, { organizationId, q, ...more })).result.groups

  /** The titles of one kind. */
  const titles = async (personId: string, organizationId: string, q: string, kind: SearchKind) => {
    const found = (await groups(personId, organizationId, q)).find((group) => group.kind === kind)
    return (found?.items ?? []).map(({ title }) => title.map(({ text }) => text).join(''))
  }

  return { groups, titles }
}
