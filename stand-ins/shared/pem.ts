/** In lines of 64 characters, each with a line break, the last one too. */
export function pem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .replaceAll(/.{1,64}/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`
}
