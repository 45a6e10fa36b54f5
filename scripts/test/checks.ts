import { availableParallelism } from 'node:os'

const checkers = String(Math.max(1, Math.floor(availableParallelism() / 2)))

/** The static checks of `npm run check` and `npm test`. */
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

/** Compiler and linter are written in Go, which otherwise spends a tenth of the time on collecting its garbage. */
export const checkEnvironment = { GOGC: '400' }

/**
 * Sources that did not change since the last check are not checked again. All projects are checked at once, so
 * several checkers for each would only compute the same types several times.
 */
function incremental(name: string): string[] {
  return ['--checkers', checkers, '--incremental', '--tsBuildInfoFile', `node_modules/.types/${name}`]
}
