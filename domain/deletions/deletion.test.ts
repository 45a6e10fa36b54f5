import { describe, expect, test } from 'vitest'
import { roles } from '../identity/roles.ts'
import { defaultOptions } from '../options/options.ts'
import { deletedKinds, mayRestore, restoreTime, type Deletion } from './deletion.ts'

const now = new Date('2026-11-16T10:00:00Z')
const me = { userId: 'me', member: { roles: roles.of('Employee'), options: defaultOptions } }

function deletion(change: Partial<Deletion> = {}): Deletion {
  return { kind: 'point', authorId: 'me', isCommon: true, deletedBy: 'me', deletedAt: now, ...change }
}

describe.each(deletedKinds)('a deleted %s', (kind) => {
  test('can be put back by its author who deleted it', () => {
    expect(mayRestore(deletion({ kind }), me, now)).toBe(true)
  })

  test('cannot be put back by others, whatever their role', () => {
    const owner = { userId: 'owner', member: { roles: roles.of('Owner'), options: defaultOptions } }
    expect(mayRestore(deletion({ kind }), owner, now)).toBe(false)
  })

  test('can be put back for an hour', () => {
    const at = (age: number) => deletion({ kind, deletedAt: new Date(now.getTime() - age) })
    expect(mayRestore(at(restoreTime), me, now)).toBe(true)
    expect(mayRestore(at(restoreTime + 1), me, now)).toBe(false)
  })

  test('of another author cannot be put back by somebody who has lost the right to delete it', () => {
    expect(mayRestore(deletion({ kind, authorId: 'other' }), me, now)).toBe(false)
  })
})
