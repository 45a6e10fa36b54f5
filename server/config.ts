/**
 * The configuration comes from environment variables only and is validated once at start; every wrong variable is named
 * with what was expected. With nothing set, the product runs in demo mode. `.env.example` lists all of them.
 */
import { join, resolve } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { z } from 'zod'
import type { Connection } from '@kelisim/db/db.ts'
import { isPhone } from '@kelisim/domain/landing/feedback.ts'
import { looksLikeEmail } from '@kelisim/domain/email-address.ts'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { usualProgramUrl } from '@kelisim/domain/signatures/signing-program.ts'
import { isKeyName, keyTypes, readVerifierKey } from '@kelisim/signature/transparency/note.ts'
import type { S3Config } from './documents/storage/s3.ts'
import type { Operator } from './http/site/operator.ts'
import type { DirectoryConfig } from './points/contractors.ts'
import type { PkiConfig } from './signatures/outbound/centre.ts'
import type { TracingConfig } from './tracing/export.ts'
import type { Witness } from './transparency/witnesses.ts'
import { isPublicAddress } from './signatures/outbound/public-address.ts'
import { literalOf, serviceOf } from './signatures/outbound/target.ts'

const Url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
/** Separated by commas or spaces. */
const several = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter((part) => part !== '') : []),
    z.array(schema),
  )
/** Separated by commas alone, because a value may contain spaces. */
const severalByCommas = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : [],
    z.array(schema),
  )
const HostAndPort = z
  .string()
  .refine((value) => /^[^/?#@\\]+:\d+$/.test(value) && URL.canParse(`http://${value}`), {
    error: 'must be host:port, several separated by commas',
  })

/** The key of a witness and its address. */
const WitnessAt = z.string().transform((value, context): Witness => {
  const [vkey = '', address = '', ...more] = value.split(/\s+/)
  const key = readVerifierKey(vkey)
  const isRight = key?.type === keyTypes.cosignature && /^https?:/.test(address) && URL.canParse(address)
  if (isRight && more.length === 0) return { key, url: new URL(address) }
  context.addIssue('must be the key of a witness and its address, several separated by commas')
  return z.NEVER
})

const Environment = z.object({
  MODE: optional(z.enum(['demo', 'production'], { error: 'must be demo or production' })),
  NODE_ENV: optional(z.string()),
  PORT: z.coerce.number({ error: 'must be a number' }).int().min(0).max(65535).default(3000),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(Url),
  TRUST_PROXY: z.coerce.number({ error: 'must be the number of proxies in front' }).int().min(0).default(0),
  DRAIN_SECONDS: z.coerce.number({ error: 'must be a number' }).int().min(0).max(20).default(0),
  CALLS_PER_MINUTE: z.coerce.number({ error: 'must be a number' }).int().min(1).default(6000),
  // At least twenty, because a process reserves twenty calls at a time.
  TOKEN_CALLS_PER_MINUTE: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(20, { error: 'must be 20 or more' })
    .default(1200),
  ORGANIZATION_CALLS_PER_MINUTE: optional(
    z.coerce.number({ error: 'must be a number' }).int().min(100, { error: 'must be 100 at least' }),
  ),
  ORGANIZATION_STORAGE_MB: optional(
    z.coerce.number({ error: 'must be a number of megabytes' }).int().min(1, { error: 'must be 1 at least' }),
  ),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })),
  DATABASE_DIRECT_URL: optional(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }),
  ),
  DATABASE_READERS: z.coerce.number({ error: 'must be a number' }).int().min(1).default(10),
  DATABASE_WRITERS: z.coerce.number({ error: 'must be a number' }).int().min(1).default(10),
  S3_URL: optional(Url),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: optional(z.string()),
  S3_SECRET_ACCESS_KEY: optional(z.string()),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })),
  SUPPORT_EMAIL: optional(z.email({ error: 'must be an e-mail address' })),
  MAIL_FROM: optional(z.string()),
  OIDC_ISSUER: optional(Url),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  TRUST_ROOTS_DIR: optional(z.string()),
  SIGNER_URL: optional(z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address' })),
  SIGNER_WINDOW_URL: optional(Url),
  PHONE_URL: optional(Url),
  OPERATORS: several(
    z
      .string()
      .refine((one) => isTwelveDigits(one) || looksLikeEmail(one), {
        error: 'must be e-mails or IINs, separated by commas',
      })
      .transform((one) => one.toLowerCase()),
  ),
  LOG_KEY_FILE: optional(z.string()),
  LOG_ORIGIN: optional(
    z.string().refine(isKeyName, { error: 'must be a name without spaces and without +, as example.kz/log' }),
  ),
  LOG_WITNESSES: severalByCommas(WitnessAt),
  LOG_QUORUM: optional(z.coerce.number({ error: 'must be a number of witnesses' }).int().min(1)),
  LOG_HEADS_EMAILS: several(z.email({ error: 'must be e-mail addresses, separated by commas' })),
  LOG_HEADS_URL: optional(Url),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(Url),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(Url),
  OTEL_EXPORTER_OTLP_HEADERS: severalByCommas(
    z.string().regex(/^[^=\s]+=.*$/, { error: 'must be name=value, separated by commas' }),
  ),
  OTEL_SERVICE_NAME: optional(z.string()),
  OTEL_TRACES_SAMPLER_ARG: optional(
    z.coerce.number({ error: 'must be a share from 0 to 1' }).min(0).max(1, { error: 'must be at most 1' }),
  ),
  METRICS_TOKEN: optional(z.string().min(16, { error: 'must have at least 16 characters' })),
  OPERATOR_NAME: optional(z.string()),
  OPERATOR_BIN: optional(z.string().refine(isTwelveDigits, { error: 'must be twelve digits' })),
  OPERATOR_ADDRESS: optional(z.string()),
  OPERATOR_PHONES: severalByCommas(
    z.string().refine(isPhone, { error: 'must be phone numbers, separated by commas' }),
  ),
  OPERATOR_SOCIAL_LINKS: several(Url),
  OPERATOR_COMPANIES: optional(
    z.coerce.number({ error: 'must be a whole number' }).int({ error: 'must be a whole number' }).min(1),
  ),
  PKI_OCSP_URL: optional(Url),
  PKI_TSP_URL: optional(Url),
  ARCHIVE_TSP_URLS: several(Url),
  PKI_CRL_URLS: several(Url),
  PKI_PRIVATE_HOSTS: several(HostAndPort),
  CONTRACTOR_DIRECTORY_URL: optional(
    Url.refine((value) => value.includes('{bin}'), { error: 'must have {bin} where the number goes' }),
  ),
  CONTRACTOR_DIRECTORY_PRIVATE_HOSTS: several(HostAndPort),
  WEBHOOK_PRIVATE_HOSTS: several(HostAndPort),
  ADMIN_PORTAL_URL: optional(Url),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .optional(),
})

export type Config = {
  isDemo: boolean
  port: number
  host: string
  publicUrl: URL
  trustProxy: number
  /** How long a process that was asked to stop still serves, so that proxies notice it. */
  drainSeconds: number
  /** How many calls one IP address may make; protects the process (secrets have their own limits). */
  callsPerMinute: number
  /** How many calls one token of a program may make, over all processes. */
  tokenCallsPerMinute: number
  /** How many calls one organisation may make, over all processes; undefined: any number. */
  organizationCallsPerMinute: number | undefined
  /** How many bytes the files of one organisation may take; undefined: any number. */
  organizationStorageBytes: number | undefined
  dataDir: string
  /** The key that signs heads of the transparency log. */
  logKeyFile: string
  /** The name by which witnesses know the log; undefined: derived from the address of the installation. */
  logOrigin: string | undefined
  witnesses: { witnesses: Witness[]; quorum: number }
  /** Where heads of the log are also sent. */
  headsTo: { emails: string[]; url: URL | undefined }
  databaseUrl: string | undefined
  /** The address of PostgreSQL itself, needed when `databaseUrl` leads to a pooler in front of it. */
  databaseDirectUrl: string | undefined
  /** The most connections of one process: readers for queries, writers for acts and other transactions. */
  databasePools: { readers: number; writers: number }
  /** undefined: documents are stored in the data folder. */
  s3: S3Config | undefined
  smtpUrl: string | undefined
  mailFrom: string
  /** The support address, shown to everybody. */
  supportEmail: string
  /** undefined: the embedded sign-in service. */
  oidc: { issuer: URL; clientId: string; clientSecret: string } | undefined
  /** Certificates of the trusted centres; undefined: digital signatures cannot be checked. */
  trustRootsDir: string | undefined
  /** The signing program on the user's computer. */
  signer: {
    url: URL
    /** Whether that program offers keys of any centre; the server decides in any case which signatures it accepts. */
    acceptsAnyChain: boolean
    /** The pages of the demo's stand-ins. */
    windowUrl: URL | null
    phoneUrl: URL | null
  }
  /** Who runs the installation; the mobile app shows the BIN. */
  operator: Operator
  /** Accounts of the operators, by e-mail or IIN. */
  operators: string[]
  /** undefined: there are no metrics. */
  metricsToken: string | undefined
  /** undefined: no traces are collected. */
  tracing: TracingConfig | undefined
  pki: PkiConfig
  /** The OCSP service for the public check page, which forwards only a certificate's number. */
  ocspByNumber: URL | undefined
  /** Looks up the name of a BIN or IIN; undefined: there is no directory. */
  contractorDirectory: DirectoryConfig | undefined
  /** Receivers of webhooks in our own network, as host:port. */
  webhookPrivateHosts: string[]
  /** undefined: built in. */
  adminPortalUrl: URL | undefined
  logLevel: string
}

/** The demo's mailbox page shows what is sent to it. */
const demoSupportEmail = 'support@kelisim.kz'
const demoMailFrom = 'Келісім <no-reply@kelisim.kz>'

/** Has one line for each variable that is wrong. */
export class ConfigError extends Error {}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(problemOf).join('\n'))
  }
  const env = parsed.data
  const problems = contradictions(env)
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return {
    isDemo: env.MODE !== 'production',
    port: env.PORT,
    // The demo lets anyone in with one click, so by default it listens on this machine only.
    host: env.HOST ?? (env.MODE === 'production' ? '0.0.0.0' : 'localhost'),
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    trustProxy: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS,
    callsPerMinute: env.CALLS_PER_MINUTE,
    tokenCallsPerMinute: env.TOKEN_CALLS_PER_MINUTE,
    organizationCallsPerMinute: env.ORGANIZATION_CALLS_PER_MINUTE,
    organizationStorageBytes:
      env.ORGANIZATION_STORAGE_MB === undefined ? undefined : env.ORGANIZATION_STORAGE_MB * 1024 * 1024,
    dataDir: resolve(env.DATA_DIR),
    logKeyFile: resolve(env.LOG_KEY_FILE ?? join(env.DATA_DIR, 'log-key.pem')),
    logOrigin: env.LOG_ORIGIN,
    // All witnesses unless LOG_QUORUM is set: better that too few heads count as witnessed than too many.
    witnesses: { witnesses: env.LOG_WITNESSES, quorum: env.LOG_QUORUM ?? env.LOG_WITNESSES.length },
    headsTo: {
      emails: env.LOG_HEADS_EMAILS,
      url: env.LOG_HEADS_URL === undefined ? undefined : new URL(env.LOG_HEADS_URL),
    },
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databasePools: { readers: env.DATABASE_READERS, writers: env.DATABASE_WRITERS },
    s3: s3Of(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM ?? demoMailFrom,
    supportEmail: env.SUPPORT_EMAIL ?? demoSupportEmail,
    oidc:
      env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET
        ? {
            issuer: new URL(env.OIDC_ISSUER),
            clientId: env.OIDC_CLIENT_ID,
            clientSecret: env.OIDC_CLIENT_SECRET,
          }
        : undefined,
    trustRootsDir: env.TRUST_ROOTS_DIR,
    signer: {
      url: new URL(env.SIGNER_URL ?? usualProgramUrl),
      windowUrl: env.SIGNER_WINDOW_URL === undefined ? null : new URL(env.SIGNER_WINDOW_URL),
      phoneUrl: env.PHONE_URL === undefined ? null : new URL(env.PHONE_URL),
      acceptsAnyChain: env.MODE !== 'production',
    },
    operator: {
      name: env.OPERATOR_NAME ?? '',
      bin: env.OPERATOR_BIN ?? '',
      address: env.OPERATOR_ADDRESS ?? '',
      phones: env.OPERATOR_PHONES,
      socialLinks: env.OPERATOR_SOCIAL_LINKS.map((link) => new URL(link)),
      companies: env.OPERATOR_COMPANIES ?? null,
    },
    operators: env.OPERATORS,
    metricsToken: env.METRICS_TOKEN,
    tracing: tracingOf(env),
    pki: pkiOf(env),
    ocspByNumber: ocspByNumber(env),
    contractorDirectory:
      env.CONTRACTOR_DIRECTORY_URL === undefined
        ? undefined
        : {
            address: env.CONTRACTOR_DIRECTORY_URL,
            privateHosts: env.CONTRACTOR_DIRECTORY_PRIVATE_HOSTS.map((host) =>
              serviceOf(new URL(`http://${host}`)),
            ),
          },
    webhookPrivateHosts: env.WEBHOOK_PRIVATE_HOSTS.map((host) => serviceOf(new URL(`http://${host}`))),
    adminPortalUrl: env.ADMIN_PORTAL_URL ? new URL(env.ADMIN_PORTAL_URL) : undefined,
    // In the demo a person reads the terminal: the sign-in hint should stay visible.
    logLevel: env.LOG_LEVEL ?? (env.MODE === 'production' ? 'info' : 'warn'),
  }
}

function problemOf({ path: [name, index], message }: z.core.$ZodIssue): string {
  const which = index === undefined ? '' : ` (number ${Number(index) + 1} of the list)`
  return `${String(name)} ${message}${which}`
}

function s3Of(env: z.output<typeof Environment>): S3Config | undefined {
  const { S3_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!url || !accessKeyId || !secretAccessKey) return undefined
  return { url: new URL(url), region: env.S3_REGION, accessKeyId, secretAccessKey }
}

/** The variables that OpenTelemetry names. */
function tracingOf(env: z.output<typeof Environment>): TracingConfig | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`)
  if (url === undefined) return undefined
  const headers = env.OTEL_EXPORTER_OTLP_HEADERS.map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))] as const
  })
  return {
    url: new URL(url),
    headers: Object.fromEntries(headers),
    serviceName: env.OTEL_SERVICE_NAME ?? 'kelisim',
    share: env.OTEL_TRACES_SAMPLER_ARG ?? 1,
  }
}

function pkiOf(env: z.output<typeof Environment>): PkiConfig {
  // No certificate names a timestamp service; the demo must not use the national one.
  const tspUrl = env.PKI_TSP_URL ?? (env.MODE === 'production' ? 'http://tsp.pki.gov.kz' : undefined)
  return {
    ocspUrl: env.PKI_OCSP_URL === undefined ? undefined : new URL(env.PKI_OCSP_URL),
    tspUrl: tspUrl === undefined ? undefined : new URL(tspUrl),
    archiveTspUrls: env.ARCHIVE_TSP_URLS.map((url) => new URL(url)),
    crlUrls: env.PKI_CRL_URLS.map((url) => new URL(url)),
    privateHosts: env.PKI_PRIVATE_HOSTS.map((host) => serviceOf(new URL(`http://${host}`))),
  }
}

/** Without the certificate its issuer's service is unknown; the national centre has one service for all. */
function ocspByNumber({ PKI_OCSP_URL: configured, MODE }: z.output<typeof Environment>): URL | undefined {
  const url = configured ?? (MODE === 'production' ? 'http://ocsp.pki.gov.kz' : undefined)
  return url === undefined ? undefined : new URL(url)
}

/** Names addresses that every later call would refuse: they are reported at start, and not when somebody signs. */
function unusablePki(env: z.output<typeof Environment>): string[] {
  const { ocspUrl, tspUrl, archiveTspUrls = [], crlUrls, privateHosts } = pkiOf(env)
  const urls = [
    ['PKI_OCSP_URL', ocspUrl],
    ['PKI_TSP_URL', tspUrl],
    ...archiveTspUrls.map((url) => ['ARCHIVE_TSP_URLS', url] as const),
    ...crlUrls.map((url) => ['PKI_CRL_URLS', url] as const),
  ] as const
  return urls.flatMap(([name, url]) => {
    if (!url) return []
    if (url.username !== '' || url.password !== '') return `${name} must not hold a user or a password`
    const isInside = isLocal(url) || (literalOf(url) !== undefined && !isPublicAddress(literalOf(url)!))
    if (!isInside || privateHosts.includes(serviceOf(url))) return []
    return `${name} is not an address of the internet: add ${serviceOf(url)} to PKI_PRIVATE_HOSTS if that is meant`
  })
}

/** Variables that are valid alone but contradict each other. */
function contradictions(env: z.output<typeof Environment>): string[] {
  const problems: string[] = []
  const isPublic = env.PUBLIC_URL !== undefined && !isLocal(new URL(env.PUBLIC_URL))
  if (env.MODE === undefined && (isPublic || env.DATABASE_URL !== undefined || env.SMTP_URL !== undefined)) {
    problems.push('MODE must be set: production, or demo to try the product with these settings')
  }
  if (env.MODE !== 'production' && env.NODE_ENV === 'production') {
    problems.push(
      'MODE is demo while NODE_ENV is production: set MODE=production, or unset NODE_ENV to try the demo',
    )
  }
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
    problems.push(
      'DATABASE_URL must be set too: DATABASE_DIRECT_URL is for a DATABASE_URL that leads to a pooler',
    )
  }
  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  const missing = oidc.filter((name) => env[name] === undefined)
  if (missing.length > 0 && missing.length < oidc.length) {
    problems.push(`${missing.join(', ')} must be set too: the three OIDC_ variables belong together`)
  }
  const s3 = ['S3_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  const missingOfS3 = s3.filter((name) => env[name] === undefined)
  if (missingOfS3.length > 0 && missingOfS3.length < s3.length) {
    problems.push(`${missingOfS3.join(', ')} must be set too: S3_URL and its two keys belong together`)
  }
  if (env.PUBLIC_URL !== undefined && new URL(env.PUBLIC_URL).href !== `${new URL(env.PUBLIC_URL).origin}/`) {
    problems.push('PUBLIC_URL must be an origin alone: no path, no query, no user')
  }
  const names = env.LOG_WITNESSES.map(({ key }) => key.name)
  if (new Set(names).size < names.length) problems.push('LOG_WITNESSES must not name a witness twice')
  if (env.LOG_QUORUM !== undefined && env.LOG_QUORUM > names.length) {
    problems.push('LOG_QUORUM must not be more than there are witnesses in LOG_WITNESSES')
  }
  problems.push(...unusablePki(env))
  if (env.MODE === 'production') {
    if (env.PUBLIC_URL === undefined) problems.push('PUBLIC_URL must be set in production')
    else if (!isSecureOrLocal(new URL(env.PUBLIC_URL)))
      problems.push('PUBLIC_URL must be https:// in production')
    if (env.SUPPORT_EMAIL === undefined)
      problems.push('SUPPORT_EMAIL must be set in production: people are told to write to it')
    if (env.MAIL_FROM === undefined)
      problems.push('MAIL_FROM must be set in production: e-mails are sent from it, so it must be yours')
    if (env.TRUST_ROOTS_DIR === undefined) {
      problems.push(
        'TRUST_ROOTS_DIR must be set in production: without the national roots no signature can be checked',
      )
    }
    for (const name of ['SIGNER_WINDOW_URL', 'PHONE_URL'] as const) {
      if (env[name] !== undefined) problems.push(`${name} is for the demo: production has the real thing`)
    }
    if (env.SMTP_URL === undefined)
      problems.push('SMTP_URL must be set in production: e-mails would reach nobody')
    if (env.OIDC_ISSUER !== undefined && !isSecureOrLocal(new URL(env.OIDC_ISSUER)))
      problems.push('OIDC_ISSUER must be https:// in production')
    if (env.S3_URL !== undefined && !isSecureOrLocal(new URL(env.S3_URL)))
      problems.push('S3_URL must be https:// in production')
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
      const fault = env[name] === undefined ? null : faultOfDatabase(env[name])
      if (fault !== null) problems.push(`${name} ${fault}`)
    }
  }
  return problems
}

export function isSecureOrLocal(url: URL): boolean {
  return url.protocol === 'https:' || isLocal(url)
}

function isLocal({ hostname }: { hostname: string }): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1', ''].includes(hostname)
}

/**
 * The driver parses the address, because it reads such addresses in its own way; this opens no connection. A host
 * name without a dot belongs to a private network, such as that of a compose file.
 */
function faultOfDatabase(connectionString: string): string | null {
  let client: pg.Client
  try {
    client = new pg.Client({ connectionString })
  } catch (error) {
    return `cannot be used: ${(error as Error).message}`
  }
  const { host } = client
  const ssl: unknown = client.ssl
  const isPrivate = /^[a-z][a-z0-9-]*$/i.test(host) && ssl === false
  if (isLocal({ hostname: host }) || host.startsWith('/') || isPrivate || isVerified(ssl)) return null
  return 'must say sslmode=verify-full to another machine in production'
}

/** Whether the server has to prove its name, as the driver's setting says. */
function isVerified(ssl: unknown): boolean {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true
  const { rejectUnauthorized, checkServerIdentity }: ConnectionOptions = ssl
  return rejectUnauthorized !== false && checkServerIdentity === undefined
}

/** How the database of the configuration is reached; undefined: there is none, the embedded one is used. */
export function connectionOf({
  databaseUrl,
  databaseDirectUrl,
}: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>): Connection | undefined {
  if (databaseUrl === undefined) return undefined
  if (databaseDirectUrl === undefined) return { connectionString: databaseUrl }
  return { connectionString: databaseDirectUrl, pooler: { connectionString: databaseUrl } }
}
