/**
 * The addresses of our pages, for links in e-mails, PDFs and the browser. The table of routes in web/pages.tsx serves
 * them.
 */

export const pages = {
  today: '/today',
  insight: '/insight',
  incomingRequests: '/signingRequests/incomings',
  outgoingRequests: '/signingRequests/outgoings',
  documents: '/documents/my',
  notificationSettings: '/options/NotificationSettings',
  substitutions: '/options/Substitution',
  /** For accounts without an organisation, or to add another one. */
  login: '/login',
  /** Accepting the agreement, without which members may open no other page. */
  agreement: '/agreementPage/validateauth',
  /** The home page of people without an account. */
  numberInbox: '/outsider',
  verify: '/verify',
  /** Signing in a few steps without an account. */
  quick: '/quick',
  /** The Administrative Portal. */
  portal: '/portal',
  /** The transparency log, for everybody. */
  log: '/log',
  /** The e-mails that the demo would have sent. */
  mailbox: '/mailbox',
} as const

/** Opens a request for anybody who may see it: a participant, the author, or the holder of a code. */
export function requestPage(requestId: string): string {
  return `/signingRequests/redirect/${requestId}`
}

/** Opens a request for the holder of a code, which is in the URL fragment: browsers never send it to a server. */
export function requestPageWithCode(requestId: string, code: string): string {
  return `${requestPage(requestId)}#code=${code}`
}

/**
 * Opens a request from an e-mail, for somebody without an account. The token of the e-mail is in the URL fragment, so
 * that it stays out of the logs of servers on the way.
 */
export function requestEntryPage(link: {
  requestId: string
  number: string | null
  emailToken: string
}): string {
  const { requestId, number, emailToken } = link
  return `${requestPage(requestId)}${number === null ? '' : `?number=${number}`}#letter=${emailToken}`
}

/** Opens a request for a member of an organisation, in the list it belongs to. */
export function memberRequestPage(requestId: string): string {
  return `/signingRequests/${requestId}`
}

export function outgoingRequestPage(requestId: string): string {
  return `${pages.outgoingRequests}/${requestId}`
}

/** The comparison of a revision of a corrected request with the one before. */
export function correctionPage(requestId: string, revision: number): string {
  return `/documents/compare?before=request.${requestId}.${revision - 1}&after=request.${requestId}.${revision}`
}

/** A page opened for this organisation. */
export function inOrganization(page: string, organizationId: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}organizationId=${organizationId}`
}

export function portalIntegrationPage(organizationId: string): string {
  return `${pages.portal}/${organizationId}/integration`
}

export function portalInvitationsPage(organizationId: string): string {
  return `${pages.portal}/${organizationId}/invitations`
}

/** Joins an organisation, from an e-mail. */
export function invitationPage(token: string): string {
  return `/invitations/${token}`
}

/** The tracking page of a quick send; its secret is in the URL fragment, which browsers never send to a server. */
export function trackingPage(follow: string): string {
  return `${pages.quick}#${follow}`
}
