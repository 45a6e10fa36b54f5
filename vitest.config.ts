import { defineConfig } from 'vitest/config'

/** Rules and slices: everything but the browser. `*.db.test.ts` run on a real PostgreSQL. */
export default defineConfig({
  test: {
    isolate: true,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**', '**/dist/**'],
          isolate: false,
          // A busy machine is slow, not wrong.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          globalSetup: ['db/testing-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
