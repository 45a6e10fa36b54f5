/** Actions on a document, used by its list and by its page. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { downloadDocument, type Document } from '@kelisim/domain/documents/contract.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import type * as z from 'zod/mini'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { useWorkplace } from '../../shell/session/session.ts'

export type DocumentView = z.output<typeof Document>

/** The name of the document in the address of the page of comparisons. */
export function comparedName({ id }: Pick<DocumentView, 'id'>): string {
  return nameOfFile({ kind: 'document', documentId: id })
}

export function useDownload() {
  const { organization } = useWorkplace()
  return useMutation({
    mutationFn: async ({ id, name, format }: DocumentView) => {
      const bytes = await fetchFile(downloadDocument, { organizationId: organization.Id, documentId: id })
      saveBytes(bytes, cleanFileName(name), mediaTypes[format])
    },
  })
}

export function useSending() {
  const navigate = useNavigate()
  return {
    send: ({ id }: DocumentView) => void navigate({ to: '/signingRequests/add/{-$id}', params: { id } }),
    quickSend: ({ id }: DocumentView) =>
      void navigate({ to: '/signingRequests/addQuick/{-$id}', params: { id } }),
  }
}
