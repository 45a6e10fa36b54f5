import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import './header.module.css'
import { RingButton } from './ring-button.tsx'

export const UsageRing = lazyMenu<object>(
  () => import('./usage-details.tsx').then((m) => m.UsageDetails),
  RingButton,
  'dialog',
)
