/**
 * What a token of a program may be allowed to do (docs/product/integration.md#w-02). No scope lets a program sign:
 * `requests.sign` submits a signature that a person made elsewhere, and that is judged like every other.
 */
export const scopes = [
  'documents.read',
  'documents.write',
  'requests.read',
  'requests.send',
  'requests.sign',
  'files.read',
  'counterparties.read',
  'registers.read',
  'registers.write',
  'people',
] as const

export type Scope = (typeof scopes)[number]
