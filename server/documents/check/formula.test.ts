import { describe, expect, test } from 'vitest'
import { faultOfFormula } from './formula.ts'

describe('a formula that contacts a server is found', () => {
  test.each([
    ['behind columns whose names escape a character', `T[a'#]&_xlfn.IMAGE("https://e/p.png")&T[a'#]`],
    ['behind a column whose name has a bracket', `T[a']]&_xlfn.IMAGE(A1)&T[b'[]`],
    ['behind a column whose name ends with an apostrophe', `T[a'']&_xlfn.IMAGE(A1)`],
    ['between columns whose names have a quotation mark', `T[a"]&_xlfn.IMAGE(A1)&T[b"]`],
    ['behind several columns', `SUM(T[[#This Row],[a"]:[b'']])&_xlfn.IMAGE(A1)`],
    ['behind another workbook', `[1]!a&'[2]x''y"z'!A1&_xlfn.WEBSERVICE(A1)`],
    ['behind a sheet with a quotation mark', `'x"y'!A1&_xlfn.IMAGE("https://e/p.png")`],
    ['behind a text with quotation marks', `"a""b'c["&RTD("a",,"b")`],
    ['as a value', '_xlfn.MAP(A1:A3,_xleta.WEBSERVICE)'],
    ['as a value with two prefixes', '_xlfn.MAP(A1:A3,_xlfn._xleta.WEBSERVICE)'],
    ['with a space before its bracket', 'rtd \n("a",,"b")'],
    ['after an operator', '-STOCKHISTORY(A1)'],
  ])('%s: %s', (_, formula) => expect(faultOfFormula(formula)).toBe('external'))

  test.each([
    '_xlfn.TRANSLATE(A1,"en","kk")',
    '_xlfn.DETECTLANGUAGE(A1)',
    '_xlfn.COPILOT("a",A1)',
    '_xlfn._xlws.PY(0,1,A1)',
    '_xlfn.IMPORTTEXT("https://e/a")',
    '_xlfn.IMPORTCSV("https://e/a")',
    'CUBEVALUE("a","b")',
    'CUBEMEMBER("a","b")',
    'CUBEMEMBERPROPERTY("a","b","c")',
    'CUBERANKEDMEMBER("a","b",1)',
    'CUBESET("a","b")',
    'CUBESETCOUNT(A1)',
    'CUBEKPIMEMBER("a","b",1)',
  ])('%s', (formula) => expect(faultOfFormula(formula)).toBe('external'))
})

describe('text that only looks like such a formula is accepted', () => {
  test.each([
    ['a text', 'IF(A1="IMAGE(1)","a""RTD(2)""",3)'],
    ['the name of a column', 'SUM(T[RTD (20)])+SUM(T[[#This Row],[IMAGE(1)]])'],
    ['the name of a sheet', "'IMAGE(1)'!A1+'it''s RTD(2)'!A2+Image!A1"],
    ['a function of the own workbook', 'MYIMAGE(1)+IMAGE2(1)+IMAGE.OF(1)+МОЙIMAGE(1)+IMAGEМОЙ(1)+ӘIMAGE(1)'],
    ['a name with a mark of its own', 'и\u0306IMAGE(1)'],
    ['other new functions', '_xlfn.MAP(A1:A3,_xleta.SUM)+_xlfn._xlws.FILTER(A1:A3,B1:B3)'],
    ['nothing', ''],
  ])('%s: %s', (_, formula) => expect(faultOfFormula(formula)).toBeNull())
})

test('the time for a long formula grows linearly with its length', () => {
  for (const piece of ['[', "'", '"', "['", 'RTD ', '_xlfn.', '"a', 'a[b]', ' '])
    expect(faultOfFormula(piece.repeat(300_000))).toBeNull()
}, 10_000)
