import type { Generated } from 'kysely'

export type RichTextTables = {
  documentTemplates: {
    id: string
    organizationId: string
    authorId: string
    name: string
    description: string
    template: string
    language: 'ru' | 'kk' | 'en'
    visibility: 'private' | 'public'
    version: Generated<number>
    createdAt: Date
  }
  documentTemplateCounts: {
    organizationId: string
    authorId: string
    visibility: 'private' | 'public'
    count: number
  }
  writtenDocuments: {
    documentId: string
    organizationId: string
    html: string
    templateId: string | null
  }
}
