/** For tests: a request and its points as the server shows them. */
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { pointStatuses, requestStatuses, type PointStatus } from '@kelisim/domain/requests/status.ts'
import type { PointView, RequestView } from './request-view.ts'

export function point(
  pointId: string,
  type: PointType,
  status: PointStatus,
  change: Partial<PointView> = {},
): PointView {
  return {
    pointId,
    order: 1,
    name: pointId,
    type: pointTypes.of(type),
    pointType: 0,
    bin: '260140020007',
    organizationName: 'ТОО «Алтын Дала»',
    groupName: pointId,
    agreementCondition: 'any',
    quorum: null,
    isEdsPresentationRequired: false,
    keyHolder: 'employee',
    keyHolderIin: null,
    status: pointStatuses[status],
    statusDescriptionData: null,
    turnCameAt: null,
    doneAt: null,
    participants: [],
    acts: [],
    signatures: [],
    isMine: false,
    takesMyKey: true,
    hasPower: false,
    actsInsteadOf: null,
    dueOn: null,
    ...change,
  }
}

export function request(points: PointView[], change: Partial<RequestView> = {}): RequestView {
  return {
    id: 'r',
    name: 'Договор',
    description: '',
    status: requestStatuses.of('InProgress'),
    signingDate: '2026-11-15',
    isTimestampRequired: false,
    isQuick: false,
    classificators: [],
    generationSetting: { additionalComponents: 0, accessCodeExpirationDate: null },
    document: { id: 'd', fileName: 'Договор.pdf', format: 'pdf', size: 4, destroyedAt: null, sha256: '' },
    kind: null,
    registration: null,
    ownRegistration: null,
    canRegister: false,
    conditions: null,
    expiresOn: null,
    expiredAt: null,
    route: { id: null, name: '' },
    author: { id: 'a', fullName: 'Айгерім Серікова' },
    organization: { id: 'o', shortName: 'ТОО «Алтын Дала»', bin: '260140020007', confirmedAt: null },
    createdAt: '2026-11-15T10:00:00Z',
    changedAt: '2026-11-15T10:00:00Z',
    currentVersion: 1,
    points,
    termination: null,
    canEdit: false,
    signingRequestActions: { canEdit: false },
    acts: [],
    canSendAgain: false,
    follows: null,
    followedBy: null,
    lock: null,
    withdrawal: null,
    ...change,
  }
}
