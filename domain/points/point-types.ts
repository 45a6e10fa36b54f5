/** Types of points (docs/product/points.md): who acts at a point, and how. In the API a type is one bit of a mask. */
import * as z from 'zod/mini'
import { flags } from '../bits.ts'

export const pointTypes = flags({
  InternalApprove: 1,
  CompanyInternalSign: 2,
  ExternalSign: 4,
  InternalInformation: 8,
  EmployeeInternalSign: 16,
  ExternalInformation: 32,
  QuickCompanyInternalSign: 64,
  QuickExternalSign: 128,
  ExternalApprove: 256,
  QuickDirectInformation: 512,
  InternalInformationConfirm: 1024,
  ExternalInformationConfirm: 2048,
  CounterParty: 4096,
})

/** Exactly one bit. */
export const OnePointType = z.literal(pointTypes.names.map((type) => pointTypes.of(type)))

export type PointType = (typeof pointTypes.names)[number]

/** Who acts: an own group, an external number, or the group of a counterparty's published point. */
export type PointSide = 'internal' | 'external' | 'counterParty'
export type PointAct = 'sign' | 'approve' | 'inform' | 'confirm'

type Kind = { side: PointSide; act: PointAct; isQuick?: true }

const kinds: Record<PointType, Kind> = {
  InternalApprove: { side: 'internal', act: 'approve' },
  CompanyInternalSign: { side: 'internal', act: 'sign' },
  ExternalSign: { side: 'external', act: 'sign' },
  InternalInformation: { side: 'internal', act: 'inform' },
  EmployeeInternalSign: { side: 'internal', act: 'sign' },
  ExternalInformation: { side: 'external', act: 'inform' },
  QuickCompanyInternalSign: { side: 'internal', act: 'sign', isQuick: true },
  QuickExternalSign: { side: 'external', act: 'sign', isQuick: true },
  ExternalApprove: { side: 'external', act: 'approve' },
  QuickDirectInformation: { side: 'external', act: 'inform', isQuick: true },
  InternalInformationConfirm: { side: 'internal', act: 'confirm' },
  ExternalInformationConfirm: { side: 'external', act: 'confirm' },
  CounterParty: { side: 'counterParty', act: 'sign' },
}

export function kindOf(type: PointType): Kind {
  return kinds[type]
}

export function sideOf(type: PointType): PointSide {
  return kinds[type].side
}

export function actOf(type: PointType): PointAct {
  return kinds[type].act
}

export function isSigningType(type: PointType): boolean {
  return kinds[type].act === 'sign'
}

/** Types that only quick sending creates; people cannot choose them. */
export const quickTypes = pointTypes.names.filter((type) => kinds[type].isQuick)
export const selectableTypes = pointTypes.names.filter((type) => !kinds[type].isQuick)
export const selectableMask = pointTypes.of(...selectableTypes)

export function typesOf(side: PointSide): PointType[] {
  return pointTypes.names.filter((type) => kinds[type].side === side)
}

export function maskOf(side: PointSide): number {
  return pointTypes.of(...typesOf(side))
}

/** Types of points that name another organisation or person by number. */
const counterpartyTypes = pointTypes.names.filter((type) => kinds[type].side !== 'internal')
export const counterpartyMask = pointTypes.of(...counterpartyTypes)
export const signingCounterpartyMask = pointTypes.of(...counterpartyTypes.filter(isSigningType))

/** The type of a mask with one bit; null for none or several. */
export function typeOf(mask: number): PointType | null {
  const [type, ...more] = pointTypes.list(mask)
  return type !== undefined && more.length === 0 ? type : null
}

/** The coarser type in some responses. */
export const coarseTypes = { internal: 0, external: 1, counterParty: 2 } as const satisfies Record<
  PointSide,
  number
>
