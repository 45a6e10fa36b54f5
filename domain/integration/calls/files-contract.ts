/** Files of a request for programs (docs/product/integration.md#w-08). */
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { Id, Nothing } from '../../fields.ts'
import { downloadElectronic } from '../../outputs/electronic-contract.ts'
import { downloadOutput, generateEvidence, OutputView } from '../../outputs/contract.ts'
import { downloadRequestFile, downloadSignature, downloadSignedSet } from '../../requests/files-contract.ts'

/** `signed`: the document with every accepted signature, as one archive. */
export const readyFiles = ['original', 'signed', 'electronic'] as const
/** Files that are generated on demand. */
export const madeFiles = ['printable', 'report', 'evidence'] as const
export const programFiles = [...readyFiles, ...madeFiles] as const

const OfRequest = z.object({ requestId: Id })

export const prepareFile = endpoint({
  method: 'POST',
  path: '/api/v1/requests/:requestId/files/:kind',
  access: 'program',
  scope: 'files.read',
  summary:
    'Have the printable document, the report or the evidence bundle made; asked again, it is made once',
  perMinute: 60,
  input: z.extend(OfRequest, { kind: z.enum(madeFiles) }),
  result: z.object({
    kind: z.enum(madeFiles),
    state: OutputView.shape.state,
    failure: OutputView.shape.failure,
    fileName: OutputView.shape.fileName,
  }),
  refusals: generateEvidence.refusals,
})

export const downloadFile = endpoint({
  method: 'GET',
  path: '/api/v1/requests/:requestId/files/:kind',
  access: 'program',
  scope: 'files.read',
  summary: 'One file of a request, byte for byte',
  givesFile: true,
  perMinute: 120,
  input: z.extend(OfRequest, { kind: z.enum(programFiles) }),
  result: Nothing,
  refusals: [
    ...new Set([
      ...downloadRequestFile.refusals,
      ...downloadSignedSet.refusals,
      ...downloadElectronic.refusals,
      ...downloadOutput.refusals,
    ]),
  ],
})

export const downloadProgramSignature = endpoint({
  method: 'GET',
  path: '/api/v1/requests/:requestId/signatures/:signatureId',
  access: 'program',
  scope: 'files.read',
  summary: 'One signature as it came',
  givesFile: true,
  input: z.extend(OfRequest, { signatureId: Id }),
  result: Nothing,
  refusals: downloadSignature.refusals,
})
