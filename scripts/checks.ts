/** What `npm run check` and `npm test` look at without running anything. */
export const checks: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types of domain', 'tsc', '-p', 'domain'],
  ['types of signature', 'tsc', '-p', 'signature'],
  ['types of web', 'tsc', '-p', 'web'],
  ['types of everything else', 'tsc', '-p', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check'],
]
