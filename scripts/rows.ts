/**
 * `npm run -s rows -- FILE`: prints what the preview of bulk sending reads of a table, one JSON object a row with the
 * names of the columns as keys. What cannot be read is reported on standard error. Exit codes: 0 all cells read, 1
 * some not, 2 none, 64 usage.
 */
import { resolve } from 'node:path'
import { openTables } from '@kelisim/server/tables/tables.ts'
import { textsOf } from '@kelisim/texts/server.ts'

process.exitCode = await run(process.argv.slice(2))

async function run([file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || more.length > 0) {
    console.error('npm run -s rows -- FILE      a table: XLSX, or CSV in UTF-8 or windows-1251')
    return 64
  }
  const t = textsOf('en', 'bulk')
  const tables = openTables()
  try {
    const result = await tables.read(resolve(file), null)
    if ('fault' in result) {
      console.error(t(`faults.${result.fault}`, { names: result.names.join(', ') }))
      return 2
    }
    const { columns, rows } = result.table
    let hasProblems = false
    for (const { number, cells, problems } of rows) {
      console.log(JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, cells[i]]))))
      for (const { column, problem } of problems) {
        hasProblems = true
        console.error(t('rowProblem', { row: number, column, problem: t(`problems.${problem}`) }))
      }
    }
    return hasProblems ? 1 : 0
  } finally {
    await tables.close()
  }
}
