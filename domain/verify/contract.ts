/** What the public check page asks of the server: whom it trusts, and what the centre says of a certificate. Never a file. */
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
    /** The centre of a demo: its certificates are worth nothing elsewhere. */
    isDemo: z.boolean(),
  }),
  refusals: [],
})

/** The octets of an INTEGER as certificates have it, none of them to spare; some centres write negative ones. */
const serialForm = /^(?!00[0-7]|ff[89a-f])(?:[0-9a-f]{2}){1,21}$/

/**
 * Asked by number alone, for the answer is the centre's and the browser judges it itself. Which service is asked is for our
 * configuration and for the centres we trust to say, never for the caller.
 */
export const askRevocation = endpoint({
  method: 'POST',
  path: '/api/unauth/Revocation',
  access: 'anyone',
  summary: 'What the OCSP service of a trusted centre says of a certificate, as it said it',
  perMinute: 60,
  input: z.object({
    /** SHA-256 of the issuer's certificate, one of those of getTrust. */
    issuer: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    serialNumber: z.string().check(z.regex(serialForm)),
  }),
  result: z.object({
    /** Null: the service did not answer. */
    ocspResponse: z.nullable(Base64),
  }),
  refusals: [],
})
