import { expect, test } from 'vitest'
import { readArguments, UsageError } from './arguments.ts'

const given = (line: string) => readArguments(line.split(' ').filter(Boolean))

test('each command is read with its arguments', () => {
  expect(given('login --address https://kelisim.example/path')).toEqual({
    command: 'login',
    address: 'https://kelisim.example',
  })
  expect(given('login --address http://localhost:3000')).toMatchObject({ address: 'http://localhost:3000' })
  expect(given('send a.pdf --route r --name Act')).toEqual({
    command: 'send',
    file: 'a.pdf',
    to: { routeId: 'r' },
    name: 'Act',
    description: '',
    kindId: null,
  })
  expect(given('watch in --bin 1 --email a@b.kz --email c@d.kz --group g --for-information')).toEqual({
    command: 'watch',
    folder: 'in',
    to: {
      bin: '1',
      emails: ['a@b.kz', 'c@d.kz'],
      organizationName: '',
      groupId: 'g',
      isForInformation: true,
    },
  })
  expect(given('status a b')).toEqual({ command: 'status', ids: ['a', 'b'] })
  expect(given('download a')).toEqual({ command: 'download', id: 'a', kind: 'signed', out: null })
  expect(given('send a.pdf --route r --document-kind k')).toMatchObject({ kindId: 'k' })
  expect(given('journals')).toEqual({ command: 'journals' })
  expect(given('register a --journal j')).toEqual({ command: 'register', id: 'a', journalId: 'j' })
  expect(given('entries --journal j --year 2026')).toEqual({
    command: 'entries',
    journalId: 'j',
    year: 2026,
  })
  expect(given('entries --journal j')).toMatchObject({ year: null })
  expect(given('mcp')).toEqual({ command: 'mcp' })
})

test.each([
  '',
  'sing a.pdf',
  'login',
  'login --address http://kelisim.example',
  'login --address nowhere',
  'send --route r',
  'send a.pdf',
  'send a.pdf --route r --bin 1 --email a@b.kz',
  'send a.pdf --bin 1',
  'send a.pdf b.pdf --route r',
  'send a.pdf --route r --out x',
  'download a --kind everything',
  'wait',
  'register a',
  'entries --journal j --year next',
  'journals --year 2026',
  'test --verbose',
])('wrong usage: %s', (line) => {
  expect(() => given(line)).toThrow(UsageError)
})
