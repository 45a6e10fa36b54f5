import { getHealth, getOverview } from '@kelisim/domain/operator/contract.ts'
import type * as z from 'zod/mini'

export type Overview = z.output<typeof getOverview.result>

export type Health = z.output<typeof getHealth.result>

export type HealthQuery = { data: Health | undefined; isFetching: boolean; refetch: () => unknown }
