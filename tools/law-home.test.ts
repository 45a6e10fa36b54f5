/** The law on electronic documents is dated data: it is cited through domain/outputs/law.ts and texts/*\/law.json only. */
import { expect, test } from 'vitest'
import { filesBelow, readText } from './source-files.ts'

const citation =
  /370-(II|ІІ)|255-VIII|K2600000255|7 января 2003|2003 жылғы 7 қаңтар|7 January 2003|Цифров\S+ кодекс|Цифрлық кодекс|Digital Code/

const isHome = (file: string) => /^(domain\/outputs\/law(\.test)?\.ts|texts\/\w\w\/law\.json)$/.test(file)

test('of the texts that people read, only the list of laws cites the law on electronic documents', () => {
  const folders = ['texts', 'help', 'web', 'server', 'sign-in', 'domain', 'pdf', 'demo', 'stand-ins']
  const files = folders.flatMap((folder) => filesBelow(folder, /\.(json|md|tsx?|html|vtt)$/))
  expect(files.length).toBeGreaterThan(500)
  const others = files.filter((file) => !isHome(file) && !file.endsWith('.test.ts'))
  expect(others.filter((file) => citation.test(readText(file)))).toEqual([])
})

test('the test itself detects citations', () => {
  const cited = [
    'ЗРК от 7 января 2003 года N370-II',
    'Цифровому кодексу',
    '№ 255-VIII',
    'the Digital Code of',
  ]
  expect(cited.filter((words) => !citation.test(words))).toEqual([])
  expect(filesBelow('texts', /^law\.json$/)).toHaveLength(3)
})
