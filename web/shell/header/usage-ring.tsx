import { later } from '../../ui/browser/later.tsx'
import './header.module.css'
import { RingButton } from './ring-button.tsx'

export const UsageRing = later<object>(
  () => import('./usage-story.tsx').then((m) => m.UsageStory),
  RingButton,
  'dialog',
)
