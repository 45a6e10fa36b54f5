import { describe, expect, test } from 'vitest'
import { outputKinds } from './contract.ts'
import { notFoundAliases, standingOf, stateOf, whyNotMade } from './output.ts'

const signed = { format: 'pdf', signed: 1, terminated: 1, isReportAllowed: true } as const

describe('making an output', () => {
  test.each(outputKinds)('of the kind %s is possible for a signed and terminated document', (kind) => {
    expect(whyNotMade(kind, signed)).toBeNull()
  })

  test.each([
    ['printable', { format: 'docx' }, 'print-format-not-supported'],
    ['printable', { format: 'xlsx', signed: 0 }, 'print-format-not-supported'],
    ['printable', { signed: 0 }, 'signed-signing-document-not-found'],
    ['terminating', { terminated: 0 }, 'signed-terminating-document-not-found'],
    ['evidence', { signed: 0 }, 'evidence-not-found'],
    ['report', { isReportAllowed: false }, 'signing-report-not-allowed'],
  ] as const)('of the kind %s is refused if %o', (kind, change, alias) => {
    expect(whyNotMade(kind, { ...signed, ...change })).toBe(alias)
  })

  test('does not need a PDF except for the printable document', () => {
    for (const kind of ['terminating', 'report', 'evidence'] as const) {
      expect(whyNotMade(kind, { ...signed, format: 'xlsx' })).toBeNull()
    }
    expect(whyNotMade('report', { ...signed, signed: 0, terminated: 0 })).toBeNull()
  })

  test('has a separate refusal for each missing kind', () => {
    expect(new Set(Object.values(notFoundAliases)).size).toBe(outputKinds.length)
  })
})

describe('the state of an output', () => {
  const now = new Date('2026-11-15T12:00:00Z')
  const lately = new Date('2026-11-14T12:00:00Z')
  const longAgo = new Date('2026-11-14T11:59:00Z')
  test.each([
    [undefined, 'none'],
    [{ state: 'ready', fingerprint: 'now', askedAt: lately }, 'ready'],
    [{ state: 'ready', fingerprint: 'now', askedAt: longAgo }, 'ready'],
    [{ state: 'ready', fingerprint: 'before', askedAt: lately }, 'none'],
    [{ state: 'failed', fingerprint: 'now', askedAt: lately }, 'failed'],
    [{ state: 'failed', fingerprint: 'before', askedAt: lately }, 'none'],
    [{ state: 'in-process', fingerprint: 'before', askedAt: lately }, 'in-process'],
    [{ state: 'in-process', fingerprint: 'now', askedAt: longAgo }, 'none'],
  ] as const)('%o: %s', (made, state) => {
    expect(stateOf(made, 'now', now)).toBe(state)
  })
})

describe('the warning on a printed document', () => {
  test.each([
    ['InProgress', 'unfinished', 'unfinished'],
    ['ValidationFail', 'unfinished', 'unfinished'],
    ['Rejected', 'rejected', 'unfinished'],
    ['Revoked', 'withdrawn', 'unfinished'],
    ['Signed', null, 'unfinished'],
    ['Completed', null, 'unfinished'],
    ['Terminating', 'terminating', 'unfinished'],
    ['TerminatingValidationFail', 'terminating', 'unfinished'],
    ['TerminatingSigned', 'terminated', null],
    ['Terminated', 'terminated', null],
  ] as const)(
    '%s: of the document %s, of the terminating document %s',
    (status, ofDocument, ofTermination) => {
      expect(standingOf(status, 'signing')).toBe(ofDocument)
      expect(standingOf(status, 'terminating')).toBe(ofTermination)
    },
  )
})
