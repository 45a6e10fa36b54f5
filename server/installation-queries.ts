import type { Database } from '@kelisim/db/db.ts'

/**
 * A demo database stays a demo, because anybody can sign in as its people with one click, and these own organisations
 * that look confirmed. Likewise a production database is never opened as a demo.
 */
export async function claimInstallation(database: Database, mode: 'demo' | 'production'): Promise<void> {
  const kept = await database.write(async (tx) => {
    await tx
      .insertInto('installation')
      .values({ mode })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
  })
  if (kept.mode !== mode) {
    throw new Error(
      `This database serves as ${kept.mode} and cannot be opened as ${mode}: give each its own DATA_DIR or DATABASE_URL.`,
    )
  }
}
