import type { ComponentType } from 'react'
import type { SectionName } from '@kelisim/domain/shell.ts'
import { DocumentIcon, HelpIcon, PointIcon, RouteIcon, SettingsIcon, TagIcon } from '../../ui/look/icons.tsx'

export const sectionIcons: Record<SectionName, ComponentType<{ size?: number }>> = {
  documents: DocumentIcon,
  routes: RouteIcon,
  points: PointIcon,
  classifiers: TagIcon,
  options: SettingsIcon,
  help: HelpIcon,
}
