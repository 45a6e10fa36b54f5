/** What may be uploaded: formats, sizes, and what each is called on the way (SPEC.md sections 5 and 9). */
export const documentFormats = ['pdf', 'docx', 'xlsx'] as const
export type DocumentFormat = (typeof documentFormats)[number]

const megabyte = 1024 * 1024

export const sizeLimits: Record<DocumentFormat, number> = {
  pdf: 20 * megabyte,
  docx: 10 * megabyte,
  xlsx: 10 * megabyte,
}

export function inMegabytes(bytes: number): number {
  return bytes / megabyte
}

export const mediaTypes: Record<DocumentFormat, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** What a person says the file is; what it really is, its content tells. */
export function formatOfName(name: string): DocumentFormat | null {
  const ending = /\.([^.]+)$/.exec(name.trim())?.[1]?.toLowerCase()
  return documentFormats.find((format) => format === ending) ?? null
}

export function acceptedFormats(options: { documentsUploadPdfOnly: boolean }): readonly DocumentFormat[] {
  return options.documentsUploadPdfOnly ? ['pdf'] : documentFormats
}

/** The formats as people read them: PDF, DOCX, XLSX. */
export function formatNames(formats: readonly DocumentFormat[]): string {
  return formats.map((format) => format.toUpperCase()).join(', ')
}
