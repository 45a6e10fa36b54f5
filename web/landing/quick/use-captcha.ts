/** The captcha, mounted in an element of the form and removed with it. */
import { useEffect, useRef, type RefObject } from 'react'
import { currentLanguage } from '../../i18n/language.ts'
import { mountCaptcha, type CaptchaWidget } from '../captcha/captcha-widget.ts'

export function useCaptcha(): {
  place: RefObject<HTMLDivElement | null>
  captcha: RefObject<CaptchaWidget | null>
} {
  const place = useRef<HTMLDivElement>(null)
  const captcha = useRef<CaptchaWidget | null>(null)
  useEffect(() => {
    let isGone = false
    void mountCaptcha(place.current!, currentLanguage()).then((widget) => {
      if (isGone) widget.remove()
      else captcha.current = widget
    })
    return () => {
      isGone = true
      captcha.current?.remove()
      captcha.current = null
    }
  }, [])
  return { place, captcha }
}
