/** The electronic document for verification: checked by the signature engine here, and by other software. */
import { describe, expect, test } from 'vitest'
import { derOf, pemOf } from '@kelisim/signature/asn1/pem.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { makeAccessCodes } from '@kelisim/domain/requests/holder-contract.ts'
import { downloadElectronicByCode } from '@kelisim/domain/outputs/electronic-contract.ts'
import { settingIn } from '@kelisim/signature/testing/nation.ts'
import { hasOpenssl, openssl, withoutOpenssl } from '@kelisim/signature/testing/openssl.ts'
import { goodDocx, goodPdf } from '../documents/testing-corpus.ts'
import { actingIn } from '../requests/core/testing-requests.ts'
import { publicUrl } from '../testing.ts'
import { startOutputsApp } from './testing-outputs.ts'

type App = Awaited<ReturnType<typeof startOutputsApp>>

const electronic = (
  { get }: App,
  who: { id: string; organizationId: string },
  id: string,
  process = 'signing',
) => get(who, `/api/SigningRequests/${who.organizationId}/${id}/electronic/${process}`)

/** Ten years later, with the root certificate only. */
function setting({ nation }: App) {
  const policy = { timestamp: 'required', revocation: 'any' } as const
  const at = new Date('2036-01-01T00:00:00Z')
  return { ...settingIn(nation, { at, ...policy }), trust: { roots: [nation.root], others: [] } }
}

describe('an electronic document with RSA signatures', async () => {
  const app = await startOutputsApp('rsa')
  const { id } = await app.contract()
  await app.stampAll()

  test('is given to both sides, and contains the document and all signers', async () => {
    for (const who of [app.ours, app.theirs]) {
      const response = await electronic(app, who, id)
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('application/pkcs7-mime')
      const { findings, signers } = await examineSignature(response.rawPayload, null, setting(app))
      expect([findings, signers.map((one) => one.findings)]).toEqual([[], [[], []]])
      const attached = readSignedData(response.rawPayload).content!
      expect(Buffer.concat(attached).equals(goodPdf)).toBe(true)
    }
  })

  test.skipIf(!hasOpenssl)(`is accepted and unpacked by OpenSSL${withoutOpenssl}`, async () => {
    const { rawPayload } = await electronic(app, app.ours, id)
    const flipped = Buffer.from(rawPayload)
    const at = rawPayload.indexOf(goodPdf) + 100
    flipped[at] = flipped[at]! ^ 1
    const root = pemOf('CERTIFICATE', app.nation.root.der)
    openssl({ 'e.cms': rawPayload, 'f.cms': flipped, 'root.pem': root }, (run) => {
      const verify = (name: string) =>
        run(
          'cms',
          '-verify',
          '-binary',
          '-inform',
          'DER',
          '-in',
          name,
          '-out',
          'out.pdf',
          '-purpose',
          'any',
          '-CAfile',
          'root.pem',
          '-attime',
          String(app.time.now.getTime() / 1000),
        )
      const good = verify('e.cms')
      expect(good.output).toContain('successful')
      expect(Buffer.from(good.file('out.pdf')).equals(goodPdf)).toBe(true)
      expect(verify('f.cms').isDone).toBe(false)
    })
    const { signers } = await examineSignature(flipped, null, setting(app))
    expect(signers.map((one) => one.findings)).toEqual([['other-document'], ['other-document']])
  })
})

describe('an electronic document with GOST signatures', async () => {
  const app = await startOutputsApp()

  test('is made of the last of two terminations', async () => {
    const { id } = await app.contract()
    await app.terminate(id, 'reject')
    const document = await app.terminate(id, 'sign')
    await app.stampAll()
    const { rawPayload } = await electronic(app, app.theirs, id, 'terminating')
    const { findings, signers } = await examineSignature(rawPayload, [document], setting(app))
    expect([findings, signers.map((one) => one.findings)]).toEqual([[], [[], []]])
  })

  test('has one signer if a certificate signed at two points', async () => {
    const { sender, ours } = app
    const [first, second] = [
      await sender.point('CompanyInternalSign'),
      await sender.point('CompanyInternalSign'),
    ]
    const { result: sent } = await sender.send(await sender.route(first, second))
    const { look, signAt } = actingIn(app)
    await signAt(ours, sent, 'CompanyInternalSign', sender.stamp)
    const { points } = (await look(ours, sent.id)).result
    await signAt(ours, { id: sent.id, points: points.slice(1) }, 'CompanyInternalSign', sender.stamp)
    await app.stampAll()
    const { rawPayload } = await electronic(app, ours, sent.id)
    const { findings, signers } = await examineSignature(rawPayload, [goodPdf], setting(app))
    expect([findings, signers.map((one) => one.findings)]).toEqual([[], [[]]])
  })

  test('is made of any format', async () => {
    const { sender } = app
    const document = await sender.upload(sender.employee, sender.organizationId, {
      name: 'Акт.docx',
      bytes: goodDocx,
    })
    const { id } = await app.contract({ documentId: document.result.id }, goodDocx)
    await app.stampAll()
    const { rawPayload, headers } = await electronic(app, app.ours, id)
    expect(headers['content-disposition']).toContain(encodeURIComponent('Акт.docx.cms'))
    expect(Buffer.concat(readSignedData(derOf(rawPayload)).content!).equals(goodDocx)).toBe(true)
  })

  test('is refused to strangers, before anybody has signed, and without a termination', async () => {
    const { sender } = app
    const alias = (response: Awaited<ReturnType<typeof electronic>>) =>
      response.json<{ ExceptionData: { Alias: string } }>().ExceptionData.Alias
    const { id } = await app.contract()
    const stranger = await app.company()
    const strange = { id: stranger.owner, organizationId: stranger.organizationId }
    expect(alias(await electronic(app, strange, id))).toBe('signing-request-not-found')
    expect(alias(await electronic(app, app.ours, id, 'terminating'))).toBe('terminating-document-not-found')
    const { result: unsigned } = await sender.send(
      await sender.route(await sender.point('CompanyInternalSign')),
    )
    expect(alias(await electronic(app, app.ours, unsigned.id))).toBe('signed-signing-document-not-found')
  })

  test('is given to the holder of the right code', async () => {
    const { ours } = app
    const generationSetting = { additionalComponents: 3, accessCodeExpirationDate: null }
    const { id } = await app.contract({ generationSetting })
    await app.stampAll()
    const { result: codes } = await app.call(ours.id, makeAccessCodes, {
      organizationId: ours.organizationId,
      signingRequestId: id,
    })
    const ask = (code: string) =>
      app.app.inject({
        method: 'POST',
        url: downloadElectronicByCode.path,
        payload: { signingRequestId: id, code },
        headers: { origin: publicUrl.origin },
      })
    const response = await ask(codes.letters!)
    expect(response.statusCode).toBe(200)
    const { signers } = await examineSignature(response.rawPayload, [goodPdf], setting(app))
    expect(signers.map((one) => one.findings)).toEqual([[], []])
    expect((await ask('AAAAAAAA')).statusCode).toBe(403)
  })
})
