export type SubstitutionTables = {
  substitutions: {
    id: string
    organizationId: string
    absentId: string
    substituteId: string
    fromDate: string
    toDate: string
    createdAt: Date
    endedAt: Date | null
    endedBy: string | null
  }
}
