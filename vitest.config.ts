import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take ten seconds or more: the whole product is started and killed in them, or a whole table is walked through. */
const long =
  /faults\.db|killed\.db|outage-table|backup\.db|ops\.db|start-for-tests|frozen-process|embedded-database|client\.db|quick-send\.db|matrix\.db|examine-files|evidence-records\/examine|groups\.test|verify\/(command|paper)|life-cycle\.walk/

/** Long files first, so that at the end no processor waits for one that was started last. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => (long.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** Rules and slices: everything but the browser. `*.db.test.ts` run on a real PostgreSQL. */
export default defineConfig({
  test: {
    // Tests on a database wait for it half of the time: on two cores one at a time would leave one of them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**', '**/dist/**'],
          isolate: false,
          // A busy machine is slow, not wrong.
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          // Each file has a database of its own; reading the whole server anew for each took a third of the time.
          isolate: false,
          globalSetup: ['db/testing-setup.ts'],
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
