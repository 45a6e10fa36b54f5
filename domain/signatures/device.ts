/** The kind of device by its user agent. On a phone, its app is opened by a link instead of a QR code. */
export function deviceOf(userAgent: string): 'Android' | 'IOS' | 'Desktop' {
  if (/Android/i.test(userAgent)) return 'Android'
  return /iPhone|iPad|iPod/i.test(userAgent) ? 'IOS' : 'Desktop'
}
