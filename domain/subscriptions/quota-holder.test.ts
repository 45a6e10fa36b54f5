import { expect, test } from 'vitest'
import { quotaHolder } from './quota-holder.ts'

const typed = { bin: '260140020007', confirmedAt: null, isUnclaimed: false }

test('free requests are counted for the number if it is proved, otherwise for the person', () => {
  expect(quotaHolder({ ...typed, confirmedAt: new Date(0) }, 'a')).toEqual({
    type: 'number',
    number: typed.bin,
  })
  expect(quotaHolder({ ...typed, isUnclaimed: true }, 'a')).toEqual({ type: 'number', number: typed.bin })
  expect(quotaHolder(typed, 'a')).toEqual({ type: 'person', userId: 'a' })
})
