/**
 * Checks that a file is well-formed XML in UTF-8 that loads nothing: no document type, no entities. XML is only shown
 * as text, so nothing else in it can act.
 */
import type { FileHandle } from 'node:fs/promises'
import { XmlError } from '@kelisim/signature/xml/nodes.ts'
import { looksLikeXml, readXml } from '@kelisim/signature/xml/read.ts'
import type { CheckResult } from './check-job.ts'
import { endsAsZip, readAt } from './file-signatures.ts'

export async function checkXml(file: FileHandle, size: number): Promise<CheckResult> {
  const bytes = await readAt(file, 0, size)
  if (!looksLikeXml(bytes)) return 'mismatch'
  if (bytes.includes('%PDF-') || (await endsAsZip(file, size))) return 'two-formats'
  if (bytes.includes('<!DOCTYPE') || bytes.includes('<!ENTITY')) return 'entities'
  try {
    readXml(bytes)
    return null
  } catch (error) {
    if (error instanceof XmlError) return 'broken'
    throw error
  }
}
