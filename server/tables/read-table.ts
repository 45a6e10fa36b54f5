/** Reads a table by its content, whatever its name says. */
import { open, readFile, stat } from 'node:fs/promises'
import { readCsv } from './read-csv.ts'
import { readXlsx } from './read-xlsx.ts'
import { TableError, tableLimits, type TableResult } from './table.ts'

export async function readTable(path: string): Promise<TableResult> {
  try {
    const { size } = await stat(path)
    if (size > tableLimits.bytes) throw new TableError('too-large')
    if (size === 0) throw new TableError('no-columns')
    return { table: await read(path) }
  } catch (error) {
    if (error instanceof TableError) return { fault: error.fault, names: error.names }
    // The file violates its format: a zip that ends early, or XML in another encoding.
    return { fault: 'broken', names: [] }
  }
}

async function read(path: string) {
  const beginning = await beginningOf(path)
  if (beginning.startsWith('PK')) return readXlsx(path)
  // The old container: xls, or an encrypted xlsx.
  if (beginning === '\u00d0\u00cf\u0011\u00e0') throw new TableError('not-a-table')
  if (beginning === '%PDF') throw new TableError('not-a-table')
  return readCsv(await readFile(path))
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await file.close()
  }
}
