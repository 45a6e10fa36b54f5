/** The signature of one document, in the form its method requires. */
import {
  signAttached,
  signDetached,
  withTimestamp,
  type CmsSigner,
} from '@kelisim/signature/signer/sign-cms.ts'
import { askTimestamp } from '../../shared/ask-timestamp.ts'
import { pem } from '../../shared/pem.ts'
import { signXml } from '../../shared/xml/sign-xml.ts'
import { XmlError } from '../../shared/xml/xml-error.ts'
import type { Fault } from './faults.ts'
import { PhoneError } from './phone-error.ts'
import type { PhoneDocument } from './protocol.ts'

export type SigningManner = {
  /** Null: there is no timestamp service; CMS signatures then fail, unless the timestamp is omitted on purpose. */
  tspUrl: string | null
  signingTime: Date
  faults: ReadonlySet<Fault>
}

/** The value that replaces the document. */
export async function signedValue(
  document: PhoneDocument,
  signer: CmsSigner,
  manner: SigningManner,
): Promise<string> {
  const isTampered = manner.faults.has('tampered')
  if (document.method === 'XML') {
    const signed = await signedXml(Buffer.from(document.content).toString('utf8'), signer)
    return isTampered ? signed.replace('<ds:Signature ', '<changed/>$&') : signed
  }
  const content = isTampered ? Buffer.concat([document.content, Buffer.from(' ')]) : document.content
  if (document.method === 'SIGN_BYTES_ARRAY') {
    return JSON.stringify({
      signature: base64(await signer.key.sign(content)),
      certificate: base64(Buffer.from(pem('CERTIFICATE', signer.certificate.der))),
    })
  }
  const sign = document.method === 'CMS_WITH_DATA' ? signAttached : signDetached
  const cms = await sign(content, signer, { signingTime: manner.signingTime })
  const value = base64(manner.faults.has('no-timestamp') ? cms : await stamped(cms, signer, manner.tspUrl))
  return manner.faults.has('broken-lines') ? value.replaceAll(/.{1,76}/g, '$&\r\n') : value
}

export async function signedXml(text: string, signer: CmsSigner): Promise<string> {
  try {
    return await signXml(text, signer, 'compact')
  } catch (error) {
    if (error instanceof XmlError) throw new PhoneError('not-signable', error.message)
    throw error
  }
}

async function stamped(cms: Uint8Array, { key }: CmsSigner, tspUrl: string | null): Promise<Uint8Array> {
  if (tspUrl === null) throw new PhoneError('no-timestamp')
  return withTimestamp(cms, 0, async (signature) => {
    try {
      return await askTimestamp(tspUrl, signature, key.hash)
    } catch {
      // down, slow or invalid: for the person it is the same
      throw new PhoneError('no-timestamp')
    }
  })
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
