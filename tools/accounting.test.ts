/** The data processor for 1C (integrations/1c-8.3): its syntax is valid, and its calls match the contracts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { fillPath, type Endpoint } from '@kelisim/domain/endpoint.ts'
import { getProgramRoutes } from '@kelisim/domain/integration/calls/catalogue-contract.ts'
import { getConnection } from '@kelisim/domain/integration/calls/connection-contract.ts'
import { uploadProgramDocument } from '@kelisim/domain/integration/calls/documents-contract.ts'
import { downloadFile } from '@kelisim/domain/integration/calls/files-contract.ts'
import {
  getStatuses,
  sendByRoute,
  sendToRecipient,
} from '@kelisim/domain/integration/calls/requests-contract.ts'
import { requestStatuses } from '@kelisim/domain/requests/status.ts'

const folder = join(import.meta.dirname, '../integrations/1c-8.3')
const modules = ['ObjectModule.bsl', 'FormModule.bsl'].map(
  (name) => [name, readFileSync(join(folder, name), 'utf8')] as const,
)
const [, objectModule] = modules[0]!

/** Words that open a block, and those that close it. */
const blocks: Readonly<Record<string, string>> = {
  Процедура: 'КонецПроцедуры',
  Функция: 'КонецФункции',
  Если: 'КонецЕсли',
  Для: 'КонецЦикла',
  Пока: 'КонецЦикла',
  Попытка: 'КонецПопытки',
  '#Область': '#КонецОбласти',
  '#Если': '#КонецЕсли',
}
const closing = new Set(Object.values(blocks))

/** The text without comments, with every string replaced by one word. */
function bare(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/"(?:[^"]|"")*"/g, 'СТРОКА').replace(/\/\/.*$/, ''))
    .join('\n')
}

describe.each(modules)('%s', (_, text) => {
  test('has strings that end in their line, and brackets in pairs', () => {
    const rest = bare(text)
    expect(rest.split('\n').filter((line) => line.includes('"'))).toEqual([])
    const open: string[] = []
    for (const bracket of rest.match(/[()[\]]/g) ?? []) {
      if (bracket === '(' || bracket === '[') open.push(bracket)
      else expect(open.pop()).toBe(bracket === ')' ? '(' : '[')
    }
    expect(open).toEqual([])
  })

  test('closes every block that it opens, in order', () => {
    const open: string[] = []
    for (const word of bare(text).match(/#?[\p{L}\d_]+/gu) ?? []) {
      if (blocks[word] !== undefined) open.push(blocks[word])
      if (closing.has(word)) expect([word, open.pop()]).toEqual([word, word])
    }
    expect(open).toEqual([])
  })

  test('ends every statement', () => {
    const lines = bare(text)
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    const opens = /^(#|&|Процедура |Функция |Попытка$|Исключение$|Иначе$)|(Тогда|Цикл)$/
    const closes = /^Конец(Процедуры|Функции)$/
    const unfinished = lines.filter(
      (line) => !opens.test(line) && !closes.test(line) && !/[;,(+]$/.test(line),
    )
    expect(unfinished).toEqual([])
  })
})

test('defines its own functions that it calls, each once', () => {
  for (const [, text] of modules) {
    const defined = [...bare(text).matchAll(/^(?:Процедура|Функция) ([\p{L}\d_]+)\(/gmu)].map((m) => m[1]!)
    expect(defined).toEqual([...new Set(defined)])
  }
  const exported = [
    ...bare(objectModule).matchAll(/^(?:Процедура|Функция) ([\p{L}\d_]+)\(.*\) Экспорт/gmu),
  ].map((m) => m[1]!)
  const called = [...bare(modules[1]![1]).matchAll(/(?:Обработка|ОбъектОбработки\(\))\.([\p{L}\d_]+)\(/gu)]
  expect(called.length).toBeGreaterThan(5)
  for (const [, name] of called) expect(exported).toContain(name)
})

describe('the calls of the module', () => {
  const served: Endpoint[] = [
    getConnection,
    getProgramRoutes,
    uploadProgramDocument,
    sendByRoute,
    sendToRecipient,
    getStatuses,
    downloadFile,
  ]

  test('go to existing addresses, with parameters that these accept', () => {
    const addresses = [...objectModule.matchAll(/"(\/api\/v1\/[^"]*)"/g)].map((m) => m[1]!)
    expect(addresses).toHaveLength(served.length)
    for (const address of addresses) {
      const [path, query = ''] = address.replaceAll(/%\d/g, 'x').split('?')
      const found = served.find((e) => isServedAt(e, path!))
      expect(found?.path, address).toBeDefined()
      const { shape } = found!.input as unknown as { shape: Record<string, z.ZodMiniType> }
      for (const [name] of new URLSearchParams(query)) expect(Object.keys(shape)).toContain(name)
    }
  })

  test('send fields that the contracts know, and read existing statuses', () => {
    const sent = [...objectModule.matchAll(/Тело\.Вставить\("(\w+)"/g)].map((m) => m[1]!)
    const known = [sendByRoute, sendToRecipient].flatMap(({ input }) => Object.keys(input.shape))
    expect(sent.length).toBeGreaterThan(5)
    for (const name of sent) expect(known).toContain(name)
    const compared = [...objectModule.matchAll(/Статус = "(\w+)"/g)].map((m) => m[1]!)
    for (const name of compared) expect(requestStatuses.names).toContain(name)
    const named = [...modules[1]![1].matchAll(/Названия\.Вставить\("(\w+)"/g)].map((m) => m[1]!)
    expect(named.toSorted()).toEqual([...requestStatuses.names].toSorted())
  })
})

function isServedAt(e: Endpoint, path: string): boolean {
  const names = e.path.match(/:\w+/g) ?? []
  const values = Object.fromEntries(names.map((name) => [name.slice(1), 'x']))
  const filled = fillPath(e.path, values).path
  return filled === path || filled.replace(/x$/, 'signed') === path
}
