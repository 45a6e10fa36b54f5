/** Saves the stored files of a request: the documents, the signatures, and archives of both. */
import { useMutation } from '@tanstack/react-query'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { downloadElectronic } from '@kelisim/domain/outputs/electronic-contract.ts'
import { downloadLongTerm, makeLongTerm } from '@kelisim/domain/outputs/long-term-contract.ts'
import {
  downloadRequestFile,
  downloadSignature,
  downloadSignedSet,
} from '@kelisim/domain/requests/files-contract.ts'
import type { ProcessKind } from '@kelisim/domain/requests/status.ts'
import { call } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { saveElectronic } from '../shared/save-electronic.ts'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'

export function useOriginalDownload(
  requestKey: RequestKey,
  { fileName, format }: Pick<RequestView['document'], 'fileName' | 'format'>,
) {
  return useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadRequestFile, { ...requestKey, file: 'original' })
      saveBytes(bytes, fileName, mediaTypes[format])
    },
  })
}

export function useTerminatingDownload(requestKey: RequestKey, fileName: string) {
  return useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadRequestFile, { ...requestKey, file: 'terminating' })
      saveBytes(bytes, fileName, mediaTypes.pdf)
    },
  })
}

/** The document of one process: signing or termination. */
type OfProcess = { process: ProcessKind; fileName: string }

/** The document and its signatures as separate files in one archive. */
export function useSetDownload(requestKey: RequestKey) {
  return useMutation({
    mutationFn: async ({ process, fileName }: OfProcess) => {
      const bytes = await fetchFile(downloadSignedSet, { ...requestKey, process })
      saveBytes(bytes, `${fileName}.zip`, 'application/zip')
    },
  })
}

export function useElectronicDownload(requestKey: RequestKey) {
  return useMutation({
    mutationFn: async ({ process, fileName }: OfProcess) => {
      const bytes = await fetchFile(downloadElectronic, { ...requestKey, process })
      saveElectronic(bytes, fileName)
    },
  })
}

export function useSignatureDownload(requestKey: RequestKey, fileName: string) {
  return useMutation({
    mutationFn: async (signatureId: string) => {
      const bytes = await fetchFile(downloadSignature, { ...requestKey, signatureId })
      saveElectronic(bytes, fileName)
    },
  })
}

/** The signature with an archive timestamp; a timestamp is made first if there is no valid one. */
export function useLongTermDownload(requestKey: RequestKey, fileName: string) {
  return useMutation({
    mutationFn: async (signatureId: string) => {
      const made = await call(makeLongTerm, { ...requestKey, signatureId })
      saveElectronic(await fetchFile(downloadLongTerm, { ...requestKey, signatureId }), fileName)
      return made
    },
  })
}
