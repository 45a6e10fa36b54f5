/** What is wrong with a file itself, whoever uploads it: every fault has its own refusal. */
export const contentRefusals = [
  'file-empty',
  'file-too-large',
  'file-format-not-supported',
  'file-content-mismatch',
  'file-encrypted',
  'file-broken',
  'file-has-macros',
  'file-has-dde',
  'file-loads-from-elsewhere',
  'file-has-objects',
  'file-has-entities',
  'file-unpacks-too-large',
  'file-takes-too-much',
  'file-of-two-formats',
  'file-storage-error',
] as const
