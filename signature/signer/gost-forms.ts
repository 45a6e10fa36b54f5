/** How each kind of GOST key is encoded: the same mathematics under several identifiers. */
import type { GostHash } from '../algorithms/verify.ts'

export type GostForm = {
  key: string
  curve: string
  /** The hash parameter after the curve in the key's parameters. */
  beside: string
  hash: GostHash
  digest: string
  signature: string
  wire: 'kz' | 'ru'
  /** How PKCS#8 contains the private number: national software does it in three ways. */
  secret: 'little-endian octets' | 'integer' | 'versioned big-endian octets'
}

export type GostKind =
  | 'gost-kz-512'
  | 'gost-kz-256'
  | 'gost-kz-2004'
  /** The form before 2004, whose parameters are NULL and whose point has a header of its own. */
  | 'gost-kz-gamma'
  | 'gost-ru-2001'
  | 'gost-ru-256'
  | 'gost-ru-512'

export const gostForms: Record<GostKind, GostForm> = {
  'gost-kz-512': {
    key: '1.2.398.3.10.1.1.2.2',
    curve: '1.2.398.3.10.1.1.2.2.1',
    beside: '1.2.398.3.10.1.3.3',
    hash: 'streebog-512',
    digest: '1.2.398.3.10.1.3.3',
    signature: '1.2.398.3.10.1.1.2.3.2',
    wire: 'kz',
    secret: 'little-endian octets',
  },
  'gost-kz-256': {
    key: '1.2.398.3.10.1.1.2.1',
    curve: '1.2.398.3.10.1.1.2.1.1',
    beside: '1.2.398.3.10.1.3.2',
    hash: 'streebog-256',
    digest: '1.2.398.3.10.1.3.2',
    signature: '1.2.398.3.10.1.1.2.3.1',
    wire: 'kz',
    secret: 'little-endian octets',
  },
  'gost-kz-2004': {
    key: '1.2.398.3.10.1.1.1.1',
    curve: '1.2.398.3.10.1.1.1.1.1',
    beside: '1.2.398.3.10.1.3.1.1.0',
    hash: 'gost-34.311',
    digest: '1.2.398.3.10.1.3.1',
    signature: '1.2.398.3.10.1.1.1.2',
    wire: 'kz',
    secret: 'integer',
  },
  'gost-kz-gamma': {
    key: '1.3.6.1.4.1.6801.1.5.8',
    curve: '1.2.398.3.10.1.1.1.1.1',
    beside: '',
    hash: 'gost-34.311',
    digest: '1.3.6.1.4.1.6801.1.2.1',
    signature: '1.3.6.1.4.1.6801.1.2.2',
    wire: 'kz',
    secret: 'versioned big-endian octets',
  },
  'gost-ru-2001': {
    key: '1.2.643.2.2.19',
    curve: '1.2.643.2.2.35.1',
    beside: '1.2.643.2.2.30.1',
    hash: 'gost-34.11-94',
    digest: '1.2.643.2.2.9',
    signature: '1.2.643.2.2.3',
    wire: 'ru',
    secret: 'little-endian octets',
  },
  'gost-ru-256': {
    key: '1.2.643.7.1.1.1.1',
    curve: '1.2.643.2.2.35.1',
    beside: '1.2.643.7.1.1.2.2',
    hash: 'streebog-256',
    digest: '1.2.643.7.1.1.2.2',
    signature: '1.2.643.7.1.1.3.2',
    wire: 'ru',
    secret: 'little-endian octets',
  },
  'gost-ru-512': {
    key: '1.2.643.7.1.1.1.2',
    curve: '1.2.643.7.1.2.1.2.1',
    beside: '1.2.643.7.1.1.2.3',
    hash: 'streebog-512',
    digest: '1.2.643.7.1.1.2.3',
    signature: '1.2.643.7.1.1.3.3',
    wire: 'ru',
    secret: 'little-endian octets',
  },
}

export const gostKinds = Object.keys(gostForms) as GostKind[]
