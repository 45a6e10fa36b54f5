export * from '../signer/extensions.ts'
export * from '../signer/issue.ts'
