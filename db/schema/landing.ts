import type { Generated, JSONColumnType } from 'kysely'

import type { Language } from '@kelisim/texts/languages.ts'

export type LandingTables = {
  usedCaptchas: { hash: Buffer; expiresAt: Date }
  feedback: {
    id: string
    at: Date
    language: Language
    name: string
    email: string
    phone: string
    message: string
  }
  landingTransactions: {
    id: string
    tokenHash: Buffer
    network: string
    createdAt: Date
    tokenExpiresAt: Date
    transactionHash: Buffer | null
    begunAt: Date | null
    senderEmail: string | null
    senderPhone: string | null
    recipientBin: string | null
    recipientName: string | null
    recipientEmail: string | null
    language: 'ru' | 'kk' | 'en' | null
    fileId: string | null
    fileName: string | null
    format: 'pdf' | 'docx' | 'xlsx' | 'doc' | 'xls' | null
    sha256: Buffer | null
    size: number | null
    tries: Generated<number>
    phoneId: string | null
    phoneToken: string | null
    phoneState: 'new' | 'meta' | 'data' | 'canceled' | 'fail' | 'done' | null
    phoneRefusal: JSONColumnType<{ alias: string; parameters: Record<string, unknown> }> | null
    phoneExpiresAt: Date | null
    phoneAnswerHash: Buffer | null
    followHash: Buffer | null
    senderNumber: string | null
    requestId: string | null
    committedAt: Date | null
  }
}
