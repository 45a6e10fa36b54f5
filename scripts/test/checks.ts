/** What `npm run check` and `npm test` look at without running anything. */
export const checks: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types of domain', 'tsc', '-p', 'domain', ...incremental('domain')],
  ['types of signature', 'tsc', '-p', 'signature', ...incremental('signature')],
  ['types of web', 'tsc', '-p', 'web', ...incremental('web')],
  ['types of tests of domain', 'tsc', '-p', 'domain/tsconfig.test.json', ...incremental('domain-tests')],
  ['types of tests of web', 'tsc', '-p', 'web/tsconfig.test.json', ...incremental('web-tests')],
  ['types of everything else', 'tsc', '-p', '.', ...incremental('everything-else')],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format (made right by `npm run format`)', 'oxfmt', '--check'],
]

/** What did not change since the last check is not checked again. */
function incremental(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', `node_modules/.types/${name}`]
}
