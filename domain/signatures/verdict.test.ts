import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { programCode, programFaults } from './signing-program.ts'
import { faults, indications, judge, verdictOf, worst, type Fault } from './verdict.ts'

describe('judge', () => {
  test('a signature without faults passes', () => {
    expect(judge([])).toEqual({ verdict: 'TOTAL-PASSED', subIndication: null, code: null })
  })

  test.each<[Fault, string, string, string]>([
    ['damaged', 'TOTAL-FAILED', 'FORMAT_FAILURE', 'DS-102'],
    ['other-document', 'TOTAL-FAILED', 'HASH_FAILURE', 'DS-202'],
    ['wrong-signature', 'TOTAL-FAILED', 'SIG_CRYPTO_FAILURE', 'DS-302'],
    ['certificate-not-yet-valid', 'TOTAL-FAILED', 'NOT_YET_VALID', 'DS-401'],
    ['issuer-unknown', 'INDETERMINATE', 'NO_CERTIFICATE_CHAIN_FOUND', 'DS-406'],
    ['certificate-expired', 'INDETERMINATE', 'OUT_OF_BOUNDS_NO_POE', 'DS-413'],
    ['revoked-by-ocsp', 'INDETERMINATE', 'REVOKED_NO_POE', 'DS-501'],
    ['ocsp-unreachable', 'INDETERMINATE', 'TRY_LATER', 'DS-901'],
  ])('%s', (fault, verdict, subIndication, code) => {
    expect(judge([fault])).toEqual({ verdict, subIndication, code })
  })

  test('proven faults take precedence over unclear ones', () => {
    expect(judge(['issuer-unknown', 'wrong-signature']).code).toBe('DS-302')
    expect(judge(['revocation-unknown', 'certificate-expired', 'revoked-by-crl']).code).toBe('DS-502')
  })

  test('the order in which faults were found does not matter', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(faults), (found) => {
        expect(judge(found)).toEqual(judge(found.toReversed()))
      }),
    )
  })

  test('any fault prevents passing, and more faults never improve a verdict', () => {
    fc.assert(
      fc.property(fc.subarray(faults, { minLength: 1 }), fc.constantFrom(...faults), (found, more) => {
        const before = judge(found)
        const after = judge([...found, more])
        expect(before.verdict).not.toBe('TOTAL-PASSED')
        expect(after.verdict).not.toBe('TOTAL-PASSED')
        if (before.verdict === 'TOTAL-FAILED') expect(after.verdict).toBe('TOTAL-FAILED')
      }),
    )
  })
})

test('the worst verdict of several signatures counts', () => {
  const [passed, failed, unclear] = [judge([]), verdictOf('damaged'), verdictOf('issuer-unknown')]
  expect(worst([])).toEqual(passed)
  expect(worst([passed, unclear, passed])).toEqual(unclear)
  expect(worst([unclear, failed, passed])).toEqual(failed)
})

test('every fault has a unique code', () => {
  const codes = [...faults.map((fault) => verdictOf(fault).code), ...programFaults.map(programCode)]
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(code).toMatch(/^DS-\d{3}$/)
  for (const fault of faults) expect(indications).toContain(verdictOf(fault).verdict)
})
