/** The catalogue of errors: every alias is refused with somewhere in the product, and reached by some test. */
import { expect, test } from 'vitest'
import { aliases } from '@kelisim/domain/errors.ts'
import { filesBelow, readText } from './source-files.ts'

const isTest = (file: string) => /\.(test|e2e)\.tsx?$|\/testing[\w-]*\.tsx?$/.test(file)
const isCatalogue = (file: string) =>
  /contract\.ts$|^domain\/errors\.ts$|^tools\/errors\.test\.ts$/.test(file)

const folders = ['domain', 'server', 'sign-in', 'web', 'e2e', 'client', 'tools']
const files = folders.flatMap((folder) => filesBelow(folder, /\.tsx?$/)).filter((file) => !isCatalogue(file))
const product = files.filter((file) => !isTest(file)).map(readText)
const tests = files.filter(isTest).map(readText)

const names = (texts: readonly string[], alias: string) =>
  texts.some((text) => text.includes(`'${alias}'`) || text.includes(`${alias}: `))

/** Aliases of routes are chosen by the kind of the route, in the contract. */
const inContracts = readText('domain/routes/contract.ts')

test('every alias is used for a refusal somewhere', () => {
  expect(
    aliases.filter((alias) => !names([...product, inContracts], alias) && !isFromFramework(alias)),
  ).toEqual([])
})

test('every alias is named in a test', () => {
  expect(aliases.filter((alias) => !names(tests, alias))).toEqual([])
})

/** Whether server/http/errors.ts chooses the alias for errors of the framework or of the database. */
function isFromFramework(alias: string): boolean {
  return readText('server/http/errors.ts').includes(`'${alias}'`)
}
