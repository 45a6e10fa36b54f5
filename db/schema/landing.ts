export type LandingTables = {
  usedCaptchas: { hash: Buffer; expiresAt: Date }
}
