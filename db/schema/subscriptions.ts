export type SubscriptionTables = {
  subscriptions: {
    id: string
    organizationId: string
    nameKey: 'start' | 'standard' | 'promo' | 'classic' | 'premium'
    startDate: string
    endDate: string
    maxSigningRequests: number | null
    createdAt: Date
  }
  signingRequestCounts: { organizationId: string; month: string; created: number }
  freeRequestCounts: { holder: string; created: number }
}
