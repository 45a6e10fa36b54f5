/** Formats of documents with their size limits and media types (docs/product/documents.md). */
export const documentFormats = ['pdf', 'docx', 'xlsx', 'doc', 'xls', 'xml'] as const
export type DocumentFormat = (typeof documentFormats)[number]

/** Formats that the application accepts. The landing also accepts office formats from before 2007. */
export const uploadFormats = ['pdf', 'docx', 'xlsx'] as const satisfies readonly DocumentFormat[]
export const landingFormats = [...uploadFormats, 'doc', 'xls'] as const satisfies readonly DocumentFormat[]
export type LandingFormat = (typeof landingFormats)[number]

const megabyte = 1024 * 1024

export const sizeLimits: Record<DocumentFormat, number> = {
  pdf: 20 * megabyte,
  docx: 10 * megabyte,
  xlsx: 10 * megabyte,
  doc: 10 * megabyte,
  xls: 10 * megabyte,
  xml: 10 * megabyte,
}

export function inMegabytes(bytes: number): number {
  return bytes / megabyte
}

export const mediaTypes: Record<DocumentFormat, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  xml: 'application/xml',
}

/** The format that the extension claims; the content is checked separately. */
export function formatOfName<F extends DocumentFormat>(name: string, among: readonly F[]): F | null {
  const ending = /\.([^.]+)$/.exec(name.trim())?.[1]?.toLowerCase()
  return among.find((format) => format === ending) ?? null
}

export type UploadOptions = { documentsUploadPdfOnly: boolean; documentsUploadXml: boolean }

export function acceptedFormats(options: UploadOptions): readonly DocumentFormat[] {
  if (options.documentsUploadPdfOnly) return ['pdf']
  return options.documentsUploadXml ? [...uploadFormats, 'xml'] : uploadFormats
}

/** The formats as people write them: PDF, DOCX, XLSX. */
export function formatNames(formats: readonly DocumentFormat[]): string {
  return formats.map((format) => format.toUpperCase()).join(', ')
}
