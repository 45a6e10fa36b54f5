import { getNotificationSettings } from '@kelisim/domain/options/contract.ts'
import { query } from '../api/api.ts'

export function notificationSettingsQuery(organizationId: string) {
  return query(getNotificationSettings, { organizationId })
}
