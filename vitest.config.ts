import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Rules and slices: everything but the browser. `*.db.test.ts` run on a real PostgreSQL. */
export default defineConfig({
  test: {
    // Tests on a database wait for it half of the time: on two cores one at a time would leave one of them idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**', '**/dist/**'],
          isolate: false,
          // A busy machine is slow, not wrong.
          testTimeout: 60_000,
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
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
