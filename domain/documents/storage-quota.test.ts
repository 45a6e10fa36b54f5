import { expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { refuseOverQuota } from './storage-quota.ts'

const megabyte = 1024 * 1024

test('a file that fits into the quota to the byte is accepted', () => {
  expect(() => refuseOverQuota(3 * megabyte, megabyte, 4 * megabyte)).not.toThrow()
  expect(() => refuseOverQuota(0, 0, megabyte)).not.toThrow()
})

test('one byte over the quota is refused, with the used and the maximum size', () => {
  const refusal = new Refusal('storage-quota-exceeded', { used: 4, maximum: 4 })
  expect(() => refuseOverQuota(3 * megabyte + 1, megabyte, 4 * megabyte)).toThrow(refusal)
})
