import { expect, test } from 'vitest'
import { examples } from '@kelisim/domain/integration/calls/examples.ts'
import { sendByRoute } from '@kelisim/domain/integration/calls/requests-contract.ts'
import { uploadProgramDocument } from '@kelisim/domain/integration/calls/documents-contract.ts'
import { callGroups, callsIn, curlOf, type CallGroup } from './calls.ts'

test('every call for programs is in the reference exactly once', () => {
  const shown = (Object.keys(callGroups) as CallGroup[]).flatMap((group) =>
    callsIn(group).map(([, call]) => call),
  )
  expect(new Set(shown)).toEqual(new Set(examples.map(({ call }) => call)))
  expect(shown).toHaveLength(new Set(shown).size)
})

test('the examples are curl commands that can be pasted', () => {
  const send = curlOf(sendByRoute, 'https://k.kz')
  expect(send).toMatch(/^curl -X POST 'https:\/\/k\.kz\/api\/v1\/requests' \\\n/)
  expect(send).toContain('"routeId": "')
  expect(curlOf(uploadProgramDocument, 'https://k.kz')).toContain("--data-binary '@document.pdf'")
})
