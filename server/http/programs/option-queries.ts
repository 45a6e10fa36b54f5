/**
 * The options of an organisation in the form that the statements of every call read: few columns are cheap to parse.
 */
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'

export type OptionRow = { switches: number; incoming: number }

/** Columns of the organisation `o` and the membership `m` in it. */
export const optionColumns = `o.is_quick_request_allowed::int
      | (o.use_signature_points_routes_role_permission::int << 1)
      | (o.use_points_role_permission::int << 2)
      | (o.is_date_of_sign_displayed_in_qr_document::int << 3)
      | (o.documents_upload_pdf_only::int << 4)
      | (o.is_signing_report_generation_allowed::int << 5)
      | (o.is_signature_sheet_compact::int << 6)
      | (o.is_footer_mark_printed::int << 7)
      | (m.is_appointed::int << 8)
      | ((o.lives_at is not null)::int << 9)
      | (o.documents_upload_xml::int << 10) as switches,
    o.allowed_point_types_for_incoming_signing_requests as incoming`

/** Whether the member acts on what comes to the number of the organisation, as owners do. */
export function isAppointed({ switches }: OptionRow): boolean {
  return (switches & (1 << 8)) !== 0
}

/** Whether the organisation lives in another installation and is read-only here. */
export function isMoved({ switches }: OptionRow): boolean {
  return (switches & (1 << 9)) !== 0
}

export function optionsOf({ switches, incoming }: OptionRow): OrganizationOptions {
  const isOn = (bit: number) => (switches & (1 << bit)) !== 0
  return {
    isQuickRequestAllowed: isOn(0),
    useSignaturePointsRoutesRolePermission: isOn(1),
    usePointsRolePermission: isOn(2),
    isDateOfSignDisplayedInQrDocument: isOn(3),
    documentsUploadPdfOnly: isOn(4),
    documentsUploadXml: isOn(10),
    isSigningReportGenerationAllowed: isOn(5),
    isSignatureSheetCompact: isOn(6),
    isFooterMarkPrinted: isOn(7),
    allowedPointTypesForIncomingSigningRequests: incoming,
  }
}
