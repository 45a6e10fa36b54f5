/**
 * What the public check page requests from the server: the trusted centres, and the revocation status of a
 * certificate. Files are never sent.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { Nothing } from '../fields.ts'

const Base64 = z.string()

export const getTrust = endpoint({
  method: 'GET',
  path: '/api/unauth/Trust',
  access: 'anyone',
  summary: 'The certificates that signatures are judged by: roots, and centres below them',
  perMinute: 60,
  cacheSeconds: 600,
  input: Nothing,
  result: z.object({
    roots: z.array(Base64),
    centres: z.array(Base64),
    /** The centre of a demo: its certificates are worthless elsewhere. */
    isDemo: z.boolean(),
  }),
  refusals: [],
})

/** The bytes of an INTEGER in minimal form, as in certificates; some centres write negative ones. */
const serialForm = /^(?!00[0-7]|ff[89a-f])(?:[0-9a-f]{2}){1,21}$/

/**
 * Asks by serial number only. The response is signed by the certification centre, and the browser verifies it itself.
 * Our configuration and the trusted centres decide which service is called, never the caller.
 */
export const askRevocation = endpoint({
  method: 'POST',
  path: '/api/unauth/Revocation',
  access: 'anyone',
  summary: 'What the OCSP service of a trusted centre says of a certificate, as it said it',
  perMinute: 60,
  input: z.object({
    /** SHA-256 of the issuer's certificate, one of those returned by getTrust. */
    issuer: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    serialNumber: z.string().check(z.regex(serialForm)),
  }),
  result: z.object({
    /** Null: the service did not respond. */
    ocspResponse: z.nullable(Base64),
  }),
  refusals: [],
})
