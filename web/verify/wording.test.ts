import { judge } from '@kelisim/domain/signatures/verdict.ts'
import { expect, test } from 'vitest'
import type { Group } from './checking/report.ts'
import { meaningOf, sentenceOfGroup, type T } from './wording.ts'

const t = ((key: string) => key) as T
const signature = { fileName: '1.cms', document: 'a.pdf', verdict: judge([]), faults: [], signers: [] }
const archive = {
  kind: 'bundle',
  outcome: 'invalid',
  container: null,
  documents: [],
  trouble: null,
  bundle: {},
  signatures: [signature],
} as unknown as Group

test('a damaged archive around valid signatures does not make them invalid', () => {
  expect(sentenceOfGroup(archive, t)).toBe('outcome.invalidArchive')
  expect(meaningOf(archive, t)).toBe('means.invalidArchive')
})

test('an archive with an invalid signature, or with none, is called invalid', () => {
  const bad = { ...signature, verdict: judge(['revoked-by-ocsp']) }
  for (const signatures of [[], [bad]]) {
    expect(sentenceOfGroup({ ...archive, signatures }, t)).toBe('outcome.invalid')
    expect(meaningOf({ ...archive, signatures }, t)).toBe('means.invalid')
  }
})
