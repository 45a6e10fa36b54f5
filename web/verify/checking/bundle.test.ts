import { expect, test } from 'vitest'
import type { BundleCheck, BundleSignature } from '@kelisim/signature/bundle/bundle-check.ts'
import { bundleGroup } from './bundle.ts'

const signature = (change: Partial<BundleSignature>) =>
  ({ file: 'a.p7s', document: 'a.pdf', examination: null, findings: [], ...change }) as BundleSignature
const group = (signatures: BundleSignature[]) =>
  bundleGroup(
    { signatures, faults: [], history: null, log: null, request: null } as unknown as BundleCheck,
    {
      isReachable: true,
      witnesses: [],
    } as never,
  )

test('signatures of a document that was replaced are counted separately', () => {
  const { signatures, bundle, outcome } = group([
    signature({ file: 'earlier.p7s', earlierRevision: 1 }),
    signature({ file: 'newest.p7s', earlierRevision: null }),
  ])
  expect(signatures.map(({ fileName }) => fileName)).toEqual(['newest.p7s'])
  expect(bundle?.earlierSignatures).toBe(1)
  expect(outcome).toBe('valid')
})

test('a bundle that has only signatures of a replaced document is unsigned', () => {
  expect(group([signature({ earlierRevision: 1 })]).outcome).toBe('unsigned')
})
