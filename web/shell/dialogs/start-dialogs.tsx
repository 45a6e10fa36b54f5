/** The greetings of a person: the price list (until 1 March 2025), then what is new in this version. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { pageConfig } from '../../api/page-config.ts'
import { whenIdle } from '../../ui/browser/when-idle.ts'
import { isPromoDue } from './promo.ts'

const PricePromo = lazy(() => import('./greetings.tsx').then((m) => ({ default: m.PricePromo })))
const WhatIsNew = lazy(() => import('./greetings.tsx').then((m) => ({ default: m.WhatIsNew })))

const versionKey = 'app-version'

export function StartDialogs() {
  // Wait until the page is shown.
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const [isPromoOpen, setPromoOpen] = useState(() => isPromoDue(new Date(), localStorage))
  const [isNewsOpen, setNewsOpen] = useState(() => localStorage.getItem(versionKey) !== pageConfig.version)
  const dismissNews = () => {
    localStorage.setItem(versionKey, pageConfig.version)
    setNewsOpen(false)
  }
  if (!isIdle) return null
  return (
    <Suspense>
      {isPromoOpen ? (
        <PricePromo onClose={() => setPromoOpen(false)} />
      ) : (
        isNewsOpen && <WhatIsNew onClose={dismissNews} />
      )}
    </Suspense>
  )
}
