/** Tables as people send them, and hostile ones. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTable } from './read-table.ts'
import { makeXlsx } from './testing-xlsx.ts'
import { writeXlsx } from './write-xlsx.ts'

const folder = mkdtempSync(join(tmpdir(), 'kelisim-tables-'))
let files = 0
function file(content: string | Uint8Array, name = 'table.csv'): string {
  const path = join(folder, `${++files}-${name}`)
  writeFileSync(path, content)
  return path
}

const read = async (path: string) => {
  const result = await readTable(path)
  if ('fault' in result) return result.names.length > 0 ? [result.fault, ...result.names] : result.fault
  const { columns, rows } = result.table
  return rows.map(({ number, cells, problems }) => [
    number,
    Object.fromEntries(columns.map((name, i) => [name, cells[i]])),
    ...problems.map(({ column, problem }) => `${column}: ${problem}`),
  ])
}
const text = (words: string) => `<is><t>${words}</t></is>`
const inline = (place: string, words: string) => `<c r="${place}" t="inlineStr">${text(words)}</c>`
const head = `<row r="1">${inline('A1', 'БИН')}${inline('B1', 'Сумма')}</row>`

/** The letters of windows-1251 that matter here. */
function windows1251(words: string): Uint8Array {
  return Uint8Array.from(Array.from(words), (letter) => {
    const code = letter.codePointAt(0)!
    if (code < 0x80) return code
    if (letter === '№') return 0xb9
    return code - 0x410 + 0xc0
  })
}

describe('CSV', () => {
  const rows = 'БИН;Компания\n060140020007;"ООО ""Ромашка""; филиал"\n'
  const expected = [[2, { БИН: '060140020007', Компания: 'ООО "Ромашка"; филиал' }]]

  test.each([
    ['UTF-8', Buffer.from(rows)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${rows}`)],
    ['UTF-16', Buffer.from(`\ufeff${rows}`, 'utf16le')],
    ['windows-1251', windows1251(rows)],
    ['commas', Buffer.from(rows.replaceAll(';', ',').replace(', филиал', '; филиал'))],
    ['tabs', Buffer.from(rows.replace(';', '\t').replace('07;', '07\t'))],
    ['a line that names the separator', Buffer.from(`sep=;\r\n${rows}`)],
    ['line ends of Windows', Buffer.from(rows.replaceAll('\n', '\r\n'))],
  ])('is read in %s', async (_, bytes) => {
    expect(await read(file(bytes))).toEqual(expected)
  })

  test('keeps line breaks in quotes and leaves empty lines and columns out', async () => {
    expect(await read(file('a,,b\n"1\n2",,3\n\n,,\n4,,5'))).toEqual([
      [2, { a: '1\n2', b: '3' }],
      [5, { a: '4', b: '5' }],
    ])
  })

  test('names a column without a name by its letter', async () => {
    expect(await read(file('a,,b\n1,2,3'))).toEqual([[2, { a: '1', '(B)': '2', b: '3' }]])
  })

  test.each([
    ['duplicate names', 'БИН;бин;Сумма\n1;2;3', ['duplicate-columns', 'бин']],
    ['no rows', 'БИН;Сумма\n;;\n', 'no-rows'],
    ['nothing', ' \n\n', 'no-columns'],
    ['no bytes', '', 'no-columns'],
    ['an open quote', 'a;b\n"1;2', 'broken'],
    ['1001 rows', `a\n${'1\n'.repeat(1001)}`, 'too-many-rows'],
    ['101 columns', `${Array.from({ length: 101 }, (_, i) => `c${i}`).join(';')}\n1`, 'too-many-columns'],
    ['zeros', 'a;b\n1;\0', 'not-a-table'],
    ['a PDF', '%PDF-1.7\n1', 'not-a-table'],
  ])('with %s is refused', async (_, content, fault) => {
    expect(await read(file(content))).toEqual(fault)
  })

  test('is read with 1000 rows, and refused with 10 MB and one byte', async () => {
    expect(await read(file(`a\n${'1\n'.repeat(1000)}`))).toHaveLength(1000)
    expect(await read(file(Buffer.alloc(10 * 1024 * 1024 + 1, 'a')))).toBe('too-large')
  })

  test('never throws for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(Object.keys(await readTable(file(bytes)))).not.toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('XLSX', () => {
  test('of our own can be read again', async () => {
    const path = join(folder, 'own.xlsx')
    const columns = [
      { title: 'БИН', width: 10 },
      { title: 'Дата', width: 10 },
    ]
    await writeXlsx(
      {
        sheet: 'Журнал: 1/2',
        columns,
        rows: [
          ['060140020007', { day: '2026-11-16' }],
          ['=1+1 & <b>', ''],
        ],
      },
      path,
    )
    expect(await read(path)).toEqual([
      [2, { БИН: '060140020007', Дата: '16.11.2026' }],
      [3, { БИН: '=1+1 & <b>', Дата: '' }],
    ])
  })

  test('shows numbers as their formats do, and keeps the zeros of a BIN', async () => {
    const formats = ['000000000000', 'dd\\.mm\\.yyyy', '#,##0.00', 'General', 'dd.mm.yyyy hh:mm']
    const rows = `${head}<row r="2"><c r="A2" s="1"><v>60140020007</v></c><c r="B2" s="3"><v>1250000.5</v></c>
      <c r="C2" s="2"><v>46342</v></c><c r="D2" s="5"><v>46342.5</v></c><c r="E2"><v>0.30000000000000004</v></c>
      <c r="F2" t="b"><v>1</v></c><c r="G2"><v>60140020007</v></c></row>`
    expect(await read(await makeXlsx({ rows, formats }))).toEqual([
      [
        2,
        {
          БИН: '060140020007',
          Сумма: '1\u00a0250\u00a0000,50',
          '(C)': '16.11.2026',
          '(D)': '16.11.2026 12:00',
          '(E)': '0,3',
          '(F)': 'TRUE',
          '(G)': '60140020007',
        },
      ],
    ])
  })

  test('joins the runs of a rich text, and counts cells without a position', async () => {
    const strings = '<si><r><t>Же</t></r><r><t xml:space="preserve">тысу </t></r><rPh><t>x</t></rPh></si>'
    const rows = `${head}<row><c t="s"><v>0</v></c><c><v>5</v></c></row>`
    expect(await read(await makeXlsx({ rows, strings }))).toEqual([[2, { БИН: 'Жетысу', Сумма: '5' }]])
  })

  test('takes the computed value of a formula, and reports a cell without one', async () => {
    const rows = `${head}<row r="2"><c r="A2" t="str"><f>A1</f><v>060140020007</v></c><c r="B2"><f>1+1</f><v>2</v></c></row>
      <row r="3"><c r="A3"><f>1+1</f></c><c r="B3" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`
    expect(await read(await makeXlsx({ rows }))).toEqual([
      [2, { БИН: '060140020007', Сумма: '2' }],
      [3, { БИН: '', Сумма: '' }, 'БИН: formula-without-value', 'Сумма: cell-error'],
    ])
  })

  test('reports merged cells instead of guessing what they mean', async () => {
    const rows = `${head}<row r="2">${inline('A2', '1')}${inline('B2', '2')}</row><row r="3">${inline('B3', '3')}</row>`
    const merged = (range: string) => `<mergeCells><mergeCell ref="${range}"/></mergeCells>`
    expect(await read(await makeXlsx({ rows, after: merged('A2:A3') }))).toEqual([
      [2, { БИН: '1', Сумма: '2' }, 'БИН: merged-cells'],
      [3, { БИН: '', Сумма: '3' }, 'БИН: merged-cells'],
    ])
    expect(await read(await makeXlsx({ rows, after: merged('A1:B1') }))).toBe('merged-names')
  })

  test('with a million empty rows is read quickly', async () => {
    const rows = function* () {
      yield head
      yield `<row r="2">${inline('A2', '1')}${inline('B2', '2')}</row>`
      for (let i = 3; i <= 1_048_576; i += 4096) {
        yield Array.from({ length: 4096 }, (_, j) => `<row r="${i + j}"><c r="A${i + j}" s="1"/></row>`).join(
          '',
        )
      }
    }
    expect(await read(await makeXlsx({ rows: rows(), formats: ['0'] }))).toEqual([
      [2, { БИН: '1', Сумма: '2' }],
    ])
  }, 60_000)

  test('that unpacks to too much is refused', async () => {
    const rows = function* () {
      for (let i = 0; i < 210; i++) yield ' '.repeat(1024 * 1024)
    }
    expect(await read(await makeXlsx({ rows: rows() }))).toBe('too-large')
  }, 60_000)

  test('reads the first sheet that is not hidden', async () => {
    const sheets = '<sheet name="A" r:id="rId9" state="hidden"/><sheet name="B" r:id="rId1"/>'
    const rows = `${head}<row r="2">${inline('A2', '1')}</row>`
    const workbook = `<workbook><sheets>${sheets}</sheets></workbook>`
    expect(await read(await makeXlsx({ rows, workbook }))).toEqual([[2, { БИН: '1', Сумма: '' }]])
  })

  test('with own entities, without sheets, or cut off is refused', async () => {
    const rows = '<!DOCTYPE a [<!ENTITY b "c">]>'
    expect(await read(await makeXlsx({ rows }))).toBe('broken')
    expect(await read(await makeXlsx({ rows, workbook: '<workbook/>' }))).toBe('not-a-table')
    const whole = readFileSync(await makeXlsx({ rows: head }))
    expect(await read(file(whole.subarray(0, whole.length / 2), 'cut.xlsx'))).toBe('broken')
    expect(await read(file(Buffer.from('PK\u0003\u0004nothing'), 'fake.xlsx'))).toBe('broken')
    expect(await read(file(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), 'old.xls'))).toBe('not-a-table')
  })
})
