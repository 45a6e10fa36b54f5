import type { deviceTypes } from '@kelisim/domain/requests/phone-contract.ts'

export type DeviceType = (typeof deviceTypes)[number]

export function deviceOf(userAgent: string): DeviceType {
  if (/Android/i.test(userAgent)) return 'Android'
  return /iPhone|iPad|iPod/i.test(userAgent) ? 'IOS' : 'Desktop'
}
