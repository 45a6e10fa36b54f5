// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { accessCodes } from '@kelisim/domain/requests/contract.ts'
import { request } from '../shared/testing-requests.ts'
import { newSending, withoutPastCodeDate } from './sending-start.tsx'

const additionalComponents = accessCodes.of('AlphaNumericAccessCode')
const again = (accessCodeExpirationDate: string | null) =>
  newSending({
    document: null,
    again: request([], { generationSetting: { additionalComponents, accessCodeExpirationDate } }),
  } as never)

test('a request sent again from a form without access codes keeps its code, but not an end date that has passed', () => {
  expect(again('2020-06-01').isCodeWrong).toBe(true)
  expect(withoutPastCodeDate(again('2020-06-01'))).toMatchObject({
    isCodeWrong: false,
    generationSetting: { additionalComponents, accessCodeExpirationDate: null },
  })
  expect(withoutPastCodeDate(again('2999-06-01')).generationSetting.accessCodeExpirationDate).toBe(
    '2999-06-01',
  )
})
