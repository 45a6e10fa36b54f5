/** For tests: a route whose signatures go into the PDF, and signing there as a browser does. */
import { createHash } from 'node:crypto'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { actAtPoint } from '@kelisim/domain/requests/contract.ts'
import { downloadPrepared, getPreparation } from '@kelisim/domain/requests/files-contract.ts'
import { pointTypes, type PointType } from '@kelisim/domain/points/point-types.ts'
import { signedOn, type Nation } from '@kelisim/signature/testing/nation.ts'
import { contract, signed } from '@kelisim/signature/testing/pdf-files.ts'
import type { Signer } from '../../identity/testing-signers.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, type RequestsApp, type View } from '../core/testing-requests.ts'

type Who = { id: string; organizationId?: string }

export function signingInside(testApp: RequestsApp) {
  const { app, call, tokenOf } = testApp
  const { signatureOf } = actingIn(testApp)

  function placeOf(who: Who, request: Pick<View, 'id' | 'points'>, type: PointType) {
    const { pointId } = request.points.find((point) => point.type === pointTypes.of(type))!
    return { organizationId: who.organizationId ?? emptyId, signingRequestId: request.id, pointId }
  }

  /** What the browser loads before it signs. */
  async function prepare(who: Who, request: Pick<View, 'id' | 'points'>, type: PointType) {
    const place = placeOf(who, request, type)
    const { result } = await call(who.id, getPreparation, place)
    const { at } = result
    const { path } = fillPath(downloadPrepared.path, { ...place, at })
    const { statusCode, rawPayload } = await app.inject({
      url: path,
      headers: { cookie: `session=${await tokenOf(who.id)}`, origin: publicUrl.origin },
    })
    if (statusCode !== 200) throw new Error(`not prepared: ${rawPayload.toString()}`)
    return { at, bytes: rawPayload, sha256: createHash('sha256').update(rawPayload).digest('hex') }
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>

  async function submit(
    who: Who,
    request: Pick<View, 'id' | 'points'>,
    type: PointType,
    { at, sha256 }: Pick<Prepared, 'at' | 'sha256'>,
    change: object,
  ) {
    return call(who.id, actAtPoint, {
      ...placeOf(who, request, type),
      pointTypeName: type,
      action: 'sign',
      prepared: { at, sha256 },
      ...change,
    })
  }

  async function signIn(who: Who, request: Pick<View, 'id' | 'points'>, type: PointType, signer: Signer) {
    const prepared = await prepare(who, request, type)
    const signature = await signatureOf(signer, prepared.bytes)
    return submit(who, request, type, prepared, { signature })
  }

  return { prepare, submit, signIn, signatureOf }
}

/** A PDF with a certifying signature that allows no changes. */
export async function signedByOther(nation: Nation): Promise<Buffer> {
  const { bytes } = await signed(contract(), nation.person, {
    at: signedOn,
    also: '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>]',
  })
  return Buffer.from(bytes)
}
