/** Options of an organisation, each with its default. */
import * as z from 'zod/mini'

/** How documents may be received: 0 paused, 1 by BIN, 2 only by counterparty points, 3 both (the default). */
export const IncomingPointTypes = z.int().check(z.minimum(0), z.maximum(3))

export const OrganizationOptions = z.object({
  isQuickRequestAllowed: z.boolean(),
  useSignaturePointsRoutesRolePermission: z.boolean(),
  usePointsRolePermission: z.boolean(),
  isDateOfSignDisplayedInQrDocument: z.boolean(),
  documentsUploadPdfOnly: z.boolean(),
  documentsUploadXml: z.boolean(),
  allowedPointTypesForIncomingSigningRequests: IncomingPointTypes,
  isSigningReportGenerationAllowed: z.boolean(),
  isSignatureSheetCompact: z.boolean(),
  isFooterMarkPrinted: z.boolean(),
})
export type OrganizationOptions = z.infer<typeof OrganizationOptions>

export const defaultOptions: OrganizationOptions = {
  isQuickRequestAllowed: true,
  useSignaturePointsRoutesRolePermission: false,
  usePointsRolePermission: false,
  isDateOfSignDisplayedInQrDocument: true,
  documentsUploadPdfOnly: false,
  documentsUploadXml: false,
  allowedPointTypesForIncomingSigningRequests: 3,
  isSigningReportGenerationAllowed: true,
  isSignatureSheetCompact: false,
  isFooterMarkPrinted: false,
}

/**
 * The kinds of notices, for each of which a person chooses when e-mails come (docs/product/notifications.md#k-01).
 */
export const notificationKinds = [
  'request-for-me',
  'turn-came',
  'signed',
  'signature-refused',
  'rejected',
  'revoked',
  'completed',
  'terminating',
  'terminated',
  'comment',
  'decided',
  'corrected',
  'proposed',
  'reminder',
  'overdue',
  'escalated',
] as const
export const notificationModes = ['at-once', 'daily', 'off'] as const
export type NotificationKind = (typeof notificationKinds)[number]
export type NotificationMode = (typeof notificationModes)[number]
export const defaultNotificationMode: NotificationMode = 'at-once'
