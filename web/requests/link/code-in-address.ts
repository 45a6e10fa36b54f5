/** The code of a printed document in the address of the page. */

/** From the URL fragment, which browsers never send to a server. */
export function codeInFragment(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get('code')
}

/** From the URL fragment, or from the query if a program moved it there. */
export function codeInAddress(): string | null {
  return codeInFragment() ?? new URLSearchParams(window.location.search).get('code')
}
