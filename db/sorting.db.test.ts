import { afterAll, expect, inject, test } from 'vitest'
import { newId } from './id.ts'
import { sortsAsKazakh } from './sorting.ts'
import { onServer } from './testing.ts'

const server = inject('postgres')
const name = `sorted_${newId().replaceAll('-', '')}`
afterAll(() => onServer(server, `drop database if exists ${name}`))

test('the embedded database sorts names in Kazakh order', async () => {
  expect(await sortsAsKazakh(server)).toBe(true)
})

test('a database that sorts by code points is recognised', async () => {
  await onServer(
    server,
    `create database ${name} template template0 encoding 'UTF8' locale_provider libc locale 'C.UTF-8'`,
  )
  expect(await sortsAsKazakh({ ...server, database: name })).toBe(false)
})
