/** People and groups in the form of SCIM (RFC 7643). */
import { mostResources, schemas } from '@kelisim/domain/directory/contract.ts'
import { filterOf, type Comparison } from '@kelisim/domain/directory/filter.ts'
import { shownName } from '@kelisim/domain/directory/people.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { DirectoryGroupRow, PersonRow, Window } from './queries.ts'

/** Rows are counted from 1; 0 and less mean the first (RFC 7644, 3.4.2.4). */
export function windowOf({ startIndex, count }: { startIndex: number; count: number }): Window {
  return { skip: Math.max(1, startIndex) - 1, take: Math.min(mostResources, Math.max(0, count)) }
}

export function comparisonsOf(filter: string | undefined): Comparison[] {
  if (filter === undefined || filter.trim() === '') return []
  return filterOf(filter) ?? refuse('directory-filter-not-understood')
}

export function listOf<T>(resources: readonly T[], total: number, { skip }: Window) {
  return {
    schemas: [schemas.list],
    totalResults: total,
    startIndex: skip + 1,
    itemsPerPage: resources.length,
    Resources: [...resources],
  }
}

export function userView(row: PersonRow, publicUrl: URL) {
  const { id, externalId, userName, givenName, familyName, email, createdAt, changedAt, groups } = row
  const name = shownName({ ...row, isActive: undefined })
  return {
    schemas: [schemas.user],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    displayName: name,
    name: {
      formatted: name,
      ...(givenName !== null && { givenName }),
      ...(familyName !== null && { familyName }),
    },
    emails: email === '' ? [] : [{ value: email, type: 'work', primary: true }],
    active: isActive(row),
    groups: groups.map((group) => ({ ...group, $ref: addressOf(publicUrl, 'Groups', group.value) })),
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: changedAt.toISOString(),
      location: addressOf(publicUrl, 'Users', id),
    },
  }
}

/** Whether the person is a member, or can become one by an open invitation. */
export function isActive({ memberId, invitationId }: PersonRow): boolean {
  return memberId !== null || invitationId !== null
}

export function groupView(row: DirectoryGroupRow, publicUrl: URL, excluded = '') {
  const { id, name, externalId, createdAt, members } = row
  const isShort = excluded
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('members')
  return {
    schemas: [schemas.group],
    id,
    ...(externalId !== null && { externalId }),
    displayName: name,
    ...(!isShort && {
      members: members.map((member) => ({ ...member, $ref: addressOf(publicUrl, 'Users', member.value) })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      location: addressOf(publicUrl, 'Groups', id),
    },
  }
}

function addressOf(publicUrl: URL, kind: 'Users' | 'Groups', id: string): string {
  return new URL(`/scim/v2/${kind}/${id}`, publicUrl).href
}
