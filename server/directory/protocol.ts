/** SCIM calls: authorised, rate-limited and parsed like all others, but answered as RFC 7644 says. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { schemas } from '@kelisim/domain/directory/contract.ts'
import { refuse, statusOf, type Alias, type Refusal } from '@kelisim/domain/errors.ts'
import { pathParameters } from '@kelisim/domain/endpoint.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import { refusalOf } from '../http/errors.ts'
import { languageOf } from '../http/language.ts'
import type { Http } from '../http/open.ts'
import { admit, claimantOf, idOf, parse, type Call, type Serve } from '../http/serve.ts'

const mediaType = 'application/scim+json; charset=utf-8'
const statuses: Partial<Record<string, number>> = { POST: 201, DELETE: 204 }

/** Registers the calls in a part of the server with its own errors and media type. */
export async function scimOn(http: Http, open: (serve: Serve) => void): Promise<void> {
  await http.app.register(async (app) => {
    readScim(app)
    app.setErrorHandler<Error & { code: string; name: string }>((error, request, reply) => {
      const refusal = refusalOf(error, request)
      const detail = textsOf(languageOf(request), 'errors')(`${refusal.alias}.text`, {
        ...refusal.parameters,
      })
      return respond(refusal, detail, reply)
    })
    open(serveScimOn(app, http))
  })
}

function serveScimOn(app: FastifyInstance, http: Http): Serve {
  const { database, limits, transactions, clock } = http
  return (e, handle) => {
    http.served.push(e)
    const parameters = pathParameters(e.path)
    app.route({
      method: e.method,
      url: e.path,
      config: { access: e.access },
      async handler(request, reply) {
        const now = clock()
        const who = await admit(e, request, http, now)
        // Only owners invite and dismiss members, so the program must act in the name of an owner.
        if (!isOwner((who as Call<'program', unknown>['who']).member.roles)) refuse('not-enough-permissions')
        await limits.perEndpoint(e, idOf(who)!, request.body)
        const result = await handle({
          input: parse(e.input, parameters, request),
          who,
          now,
          db: database.db,
          write: transactions.writeFor(claimantOf(who, request.ip)),
          get language() {
            return languageOf(request)
          },
          browser: noBrowser,
          address: request.ip,
        })
        const status = statuses[e.method] ?? 200
        reply.status(status)
        return status === 204 ? reply.send() : reply.type(mediaType).send(e.result.parse(result))
      },
    })
  }
}

/** A program has no cookies and no session. */
const noBrowser: Call<'program', unknown>['browser'] = {
  cookie: () => undefined,
  setCookie: () => {},
  endSession: async () => ({ idToken: null }),
}

/** Clients use both media types, and may send an empty body with either. */
function readScim(app: FastifyInstance): void {
  const readJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>(
    ['application/json', 'application/scim+json'],
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else void readJson(request, body, done)
    },
  )
}

const types: Partial<Record<Alias, string>> = {
  'directory-person-exists': 'uniqueness',
  'group-name-already-in-use': 'uniqueness',
  'directory-filter-not-understood': 'invalidFilter',
  'directory-change-not-understood': 'invalidSyntax',
  'malformed-body': 'invalidSyntax',
  'validation-failure': 'invalidValue',
  'directory-address-missing': 'invalidValue',
  'group-participants-not-found': 'invalidValue',
  'last-owner': 'mutability',
  'group-is-awaited': 'mutability',
  'group-effects-not-seen': 'mutability',
}

function respond({ alias, parameters }: Refusal, detail: string, reply: FastifyReply): FastifyReply {
  const status = statusOf(alias)
  const { seconds } = parameters
  if (typeof seconds === 'number') reply.header('retry-after', seconds)
  else if (status === 503) reply.header('retry-after', 5)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const scimType = types[alias]
  return reply
    .status(status)
    .type(mediaType)
    .send({
      schemas: [schemas.error],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail,
      [schemas.refusal]: { alias, parameters },
    })
}
