export type PrintabilityTables = {
  filePrintability: {
    fileId: string
    version: number
    fault: 'encrypted' | 'broken' | 'dynamic' | null
    checkedAt: Date
  }
}
