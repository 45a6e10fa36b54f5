import { describe, expect, test } from 'vitest'
import { readPart } from './active-content.ts'

const faultOf = (xml: string, isWorkbook = true) => readPart({ isWorkbook })(Buffer.from(xml))
const connection = (inside: string, attributes = '') =>
  `<connections><x:connection id="1" type="5" ${attributes}>${inside}</x:connection></connections>`

describe('a connection of a workbook', () => {
  test.each([
    ['to a page', connection('<x:webPr url="https://e/prices"/>', 'refreshOnLoad="1"')],
    [
      'to a database',
      connection('<dbPr connection="Provider=SQLOLEDB.1;Data Source=e" command="prices"/>', 'interval="5"'),
    ],
    ['to a cube', connection('<olapPr sendLocale="1"/>', 'refreshOnLoad="true"')],
    [
      'that is fetched with the workbook',
      connection('<textPr sourceFile="C:\\a.txt"/>', 'refreshOnLoad="1"'),
    ],
    ['that is fetched every minute', connection('<textPr sourceFile="C:\\a.txt"/>', 'interval="1"')],
    ['to a text of another machine', connection('<textPr sourceFile="\\\\e\\share\\a.txt"/>')],
    ['that a server describes', connection('', 'odcFile="https://e/a.odc"')],
    ['of a table', '<queryTable name="a" refreshOnLoad="true" connectionId="1"/>'],
  ])('%s is refused', (_, xml) => expect(faultOf(xml)).toBe('external'))

  test('to a text on the same computer, read only on request, is accepted', () => {
    const text = connection('<textPr sourceFile="C:\\a.txt"/>', 'refreshOnLoad="0" interval="0"')
    expect(faultOf(text)).toBeNull()
    expect(faultOf('<queryTable name="a" refreshOnLoad="false" connectionId="1"/>')).toBeNull()
    // A connection as Power Query and data models write it.
    expect(
      faultOf(connection('<dbPr connection="Provider=Microsoft.Mashup.OleDb.1" command="x"/>')),
    ).toBeNull()
  })
})

describe('a formula', () => {
  test('of a table column is read, too', () => {
    const column = '<calculatedColumnFormula>_xlfn.IMAGE(A1)</calculatedColumnFormula>'
    expect(faultOf(`<table><tableColumn>${column}</tableColumn></table>`)).toBe('external')
  })

  test('is read as UTF-8, also where a piece of the file ends within a character', () => {
    const xml = Buffer.from('<x><f>МОЙIMAGE(1)</f></x>')
    for (let at = 0; at <= xml.length; at++) {
      const read = readPart({ isWorkbook: true })
      expect([read(xml.subarray(0, at)), read(xml.subarray(at))]).toEqual([null, null])
    }
  })

  test('that is longer than any program accepts is refused as broken', () => {
    expect(faultOf(`<x><f>"${'a'.repeat(70_000)}"&amp;WEBSERVICE(A1)</f></x>`)).toBe('broken')
  })

  test('of many character references is read in linear time', () => {
    expect(faultOf(`<x>${`<f>${'&amp;'.repeat(60_000)}</f>`.repeat(20)}</x>`)).toBeNull()
  }, 10_000)

  test('is not looked for in a text document, where the same element is a fraction', () => {
    const fraction = '<m:oMath><m:f><m:num><m:r><m:t>RTD (20)</m:t></m:r></m:num></m:f></m:oMath>'
    expect(faultOf(fraction, false)).toBeNull()
  })
})
