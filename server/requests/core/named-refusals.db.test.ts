/** Each refusal occurs under the condition that its name says (docs/product/errors-and-limits.md#e-03). */
import { expect, test } from 'vitest'
import { newId } from '@kelisim/db/id.ts'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { downloadSignature, downloadSignedSet } from '@kelisim/domain/requests/files-contract.ts'
import { processKinds } from '@kelisim/domain/requests/status.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { makeName } from '@kelisim/signature/signer/extensions.ts'
import type { ErrorBody } from '@kelisim/domain/errors.ts'
import { citizen } from '../../identity/testing-signers.ts'
import { publicUrl } from '../../testing.ts'
import { actingIn, startRequestsApp } from './testing-requests.ts'

const testApp = await startRequestsApp()
const { app, call, nation, tokenOf } = testApp
const { signAt, signatureOf, act } = actingIn(testApp)
const company = await testApp.company()
const { organizationId } = company
const employee = { id: company.employee, organizationId }
const signing = await company.point('CompanyInternalSign')
const route = await company.route(signing, await company.point('InternalInformationConfirm'))

async function fetched(path: string) {
  const response = await app.inject({
    url: path,
    headers: { cookie: `session=${await tokenOf(employee.id)}`, origin: publicUrl.origin },
  })
  const alias = response.statusCode === 200 ? null : response.json<ErrorBody>().ExceptionData.Alias
  return { status: response.statusCode, alias, bytes: response.rawPayload }
}

const setOf = (signingRequestId: string, process: 'signing' | 'terminating') =>
  fetched(fillPath(downloadSignedSet.path, { organizationId, signingRequestId, process }).path)

const signatureFile = (signingRequestId: string, signatureId: string, kind: keyof typeof processKinds) => {
  const { path } = fillPath(downloadSignature.path, { organizationId, signingRequestId, signatureId })
  return fetched(`${path}?associationType=${processKinds[kind]}`)
}

test('signed-…-document-not-found: before anybody has signed; afterwards the document comes with its signatures', async () => {
  const { result: sent } = await company.send(route)
  expect(await setOf(sent.id, 'signing')).toMatchObject({
    status: 404,
    alias: 'signed-signing-document-not-found',
  })
  expect((await setOf(sent.id, 'terminating')).alias).toBe('terminating-document-not-found')
  await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  const { status, bytes } = await setOf(sent.id, 'signing')
  expect([status, bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  expect(bytes.includes(Buffer.from('.cms'))).toBe(true)

  const input = { organizationId, signingRequestId: sent.id, comment: 'Не надо' }
  await call(employee.id, terminateRequest, input)
  expect(await setOf(sent.id, 'terminating')).toMatchObject({
    status: 404,
    alias: 'signed-terminating-document-not-found',
  })
  const { bytes: document } = await fetched(
    `/api/SigningRequests/${organizationId}/${sent.id}/files/terminating`,
  )
  await act(employee, sent, 'CompanyInternalSign', 'sign', {
    signature: await signatureOf(company.stamp, document),
  })
  expect((await setOf(sent.id, 'terminating')).status).toBe(200)
})

test('signing-sign-not-found and terminating-sign-not-found: the signature belongs to the other process or does not exist', async () => {
  const { result: sent } = await company.send(route)
  const { result } = await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  const { id } = result.points[0]!.signatures[0]!
  expect((await signatureFile(sent.id, id, 'signing')).status).toBe(200)
  expect(await signatureFile(sent.id, id, 'terminating')).toMatchObject({
    status: 404,
    alias: 'terminating-sign-not-found',
  })
  expect((await signatureFile(sent.id, newId(), 'signing')).alias).toBe('signing-sign-not-found')
})

test('empty-bin-or-iin: the certificate contains no BIN or IIN', async () => {
  const { result: sent } = await company.send(route)
  const nameless = await citizen(nation, { subject: makeName({ commonName: 'НЕКТО', country: 'KZ' }) })
  const { status, result } = await signAt(employee, sent, 'CompanyInternalSign', nameless)
  expect(status).toBe(200)
  expect(result.points[0]!.statusDescriptionData).toMatchObject({
    alias: 'empty-bin-or-iin',
    parameters: { code: 'DS-704' },
  })
})
