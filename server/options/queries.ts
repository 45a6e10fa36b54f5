/** Options of an organisation, and of a person in it. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type {
  NotificationKind,
  NotificationMode,
  OrganizationOptions,
} from '@kelisim/domain/options/options.ts'

/** Changes the given options and returns all of them. */
export function saveOrganizationOptions(
  tx: Tx,
  organizationId: string,
  change: { [K in keyof OrganizationOptions]?: OrganizationOptions[K] | undefined },
): Promise<OrganizationOptions> {
  return tx
    .updateTable('organizations')
    .set(change)
    .where('id', '=', organizationId)
    .returning([
      'isQuickRequestAllowed',
      'useSignaturePointsRoutesRolePermission',
      'usePointsRolePermission',
      'isDateOfSignDisplayedInQrDocument',
      'documentsUploadPdfOnly',
      'documentsUploadXml',
      'allowedPointTypesForIncomingSigningRequests',
      'isSigningReportGenerationAllowed',
      'isSignatureSheetCompact',
      'isFooterMarkPrinted',
    ])
    .executeTakeFirstOrThrow()
}

export async function findQuickSendGroup(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<string | null> {
  const found = await db
    .selectFrom('userOptions')
    .select('quickSendGroupId')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found?.quickSendGroupId ?? null
}

/** Whether the person is in the group; if so, they cannot be removed before the transaction ends. */
export async function lockParticipation(
  tx: Tx,
  organizationId: string,
  groupId: string,
  userId: string,
): Promise<boolean> {
  const found = await tx
    .selectFrom('groupParticipants')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('groupId', '=', groupId)
    .where('userId', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

export async function saveQuickSendGroup(
  tx: Tx,
  organizationId: string,
  userId: string,
  quickSendGroupId: string | null,
): Promise<void> {
  await tx
    .insertInto('userOptions')
    .values({ organizationId, userId, quickSendGroupId })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'userId']).doUpdateSet({ quickSendGroupId }),
    )
    .execute()
}

export async function findNotificationModes(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<Map<string, NotificationMode>> {
  const found = await db
    .selectFrom('notificationSettings')
    .select(['kind', 'mode'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
  return new Map(found.map(({ kind, mode }) => [kind, mode]))
}

export async function saveNotificationMode(
  tx: Tx,
  organizationId: string,
  userId: string,
  { kind, mode }: { kind: NotificationKind; mode: NotificationMode },
): Promise<void> {
  await tx
    .insertInto('notificationSettings')
    .values({ organizationId, userId, kind, mode })
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId', 'kind']).doUpdateSet({ mode }))
    .execute()
}
