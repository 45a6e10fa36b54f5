import { defaultWaitMonths } from '@kelisim/domain/insight/contract.ts'
import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { pageLength, waitsQuery } from './queries.ts'

export function loadInsight({ client, organization }: MemberPageToLoad): void {
  const question = { by: 'group', whose: 'mine', months: defaultWaitMonths } as const
  void client.prefetchQuery(waitsQuery(organization.Id, question, 0, pageLength))
}
