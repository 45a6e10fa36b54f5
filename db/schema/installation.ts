import type { Generated } from 'kysely'

export type InstallationTables = {
  installation: { isOnly: Generated<boolean>; mode: 'demo' | 'production' }
}
