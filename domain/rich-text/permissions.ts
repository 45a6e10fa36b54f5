/** Permissions on document templates. */
import type { Alias } from '../errors.ts'
import { isOwner } from '../identity/permissions.ts'
import type { Visibility } from '../visibility.ts'

export type TemplateFacts = { authorId: string; visibility: Visibility }
export type TemplateViewer = { userId: string; member: { roles: number } }

/** A private template is visible to its author, a public one to all members, and every one to owners. */
export function maySeeTemplate(template: TemplateFacts, viewer: TemplateViewer): boolean {
  return (
    template.visibility === 'public' || template.authorId === viewer.userId || isOwner(viewer.member.roles)
  )
}

/** The author may edit a template; owners may edit public ones, because the author may have left. */
export function whyNotEditTemplate(template: TemplateFacts, viewer: TemplateViewer): Alias | null {
  if (!maySeeTemplate(template, viewer)) return 'document-template-not-found'
  if (template.authorId === viewer.userId) return null
  return template.visibility === 'public' && isOwner(viewer.member.roles) ? null : 'not-enough-permissions'
}

export function allowedWithTemplate(template: TemplateFacts, viewer: TemplateViewer) {
  const mayEdit = whyNotEditTemplate(template, viewer) === null
  return { edit: mayEdit, delete: mayEdit }
}
