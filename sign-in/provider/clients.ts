/** The applications that sign people in here; another system is one more entry of this list. */
import type { ClientMetadata } from 'oidc-provider'

export const applicationClientId = 'kelisim'

export function clientsOf(publicUrl: URL, clientSecret: string): ClientMetadata[] {
  const at = (path: string) => new URL(path, publicUrl).href
  return [
    {
      client_id: applicationClientId,
      client_secret: clientSecret,
      client_name: 'Kelisim',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [at('/api-user/callback')],
      post_logout_redirect_uris: [at('/'), at('/api-user/signed-out')],
      backchannel_logout_uri: at('/api-user/backchannel-logout'),
      backchannel_logout_session_required: true,
    },
  ]
}

export type KnownApplication = { clientId: string; origin: string }

export function applicationsOf(clients: readonly ClientMetadata[]): KnownApplication[] {
  return clients.flatMap(({ client_id, redirect_uris = [] }) => {
    const origins = new Set(redirect_uris.map((uri) => new URL(uri).origin))
    return [...origins].map((origin) => ({ clientId: client_id, origin }))
  })
}
