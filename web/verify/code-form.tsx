/** The form for the code of a printed document: typed, or in the address if it came from a QR code. */
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { loadTexts } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { OpenedRequest, Refused } from '../requests/link/open-by-code.ts'
import classes from './verify.module.css'
import { typedText } from '../ui/form/typed-text.ts'
import type { T } from './wording.ts'

export function CodeForm({
  given,
  onOpened,
}: {
  given: string | null
  onOpened: (opened: OpenedRequest) => void
}) {
  const { t } = useTexts('verify')
  const [typed, setTyped] = useState('')
  const [refused, setRefused] = useState<Refused | null>(null)
  const [isOpening, setOpening] = useState(given !== null)
  const field = useRef<HTMLInputElement>(null)
  const [id, helpId, errorId] = [useId(), useId(), useId()]

  async function open(code: string): Promise<void> {
    setOpening(true)
    setRefused(null)
    try {
      const [{ findHeldRequest }] = await Promise.all([
        import('../requests/link/open-by-code.ts'),
        loadTexts('signatures'),
      ])
      const result = await findHeldRequest(code)
      if ('request' in result) return onOpened(result)
      setRefused(result)
    } catch {
      setRefused({ why: 'failed' })
    } finally {
      setOpening(false)
    }
    field.current?.focus()
  }
  const isTried = useRef(false)
  useEffect(() => {
    if (given === null || isTried.current) return
    isTried.current = true
    void open(given)
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (typed.trim() === '' || isOpening) field.current?.focus()
    else void open(typed)
  }
  return (
    <form className={classes.code} onSubmit={submit} noValidate>
      <h2 className={classes.sectionTitle}>{t('code.title')}</h2>
      <div className={classes.codeRow}>
        <div>
          <label htmlFor={id}>{t('code.label')}</label>
          <input
            ref={field}
            id={id}
            value={typed}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-describedby={`${refused ? errorId : ''} ${helpId}`.trim()}
            aria-invalid={refused !== null}
            onChange={(event) => setTyped(typedText(event))}
          />
        </div>
        <button type="submit" className={classes.button} aria-busy={isOpening}>
          {isOpening ? t('wait.opening') : t('code.open')}
        </button>
      </div>
      <p id={helpId} className={classes.help}>
        {t('code.hint')}
      </p>
      {refused && (
        <p id={errorId} className={classes.error} role="alert">
          {refusalText(refused, t)}
        </p>
      )}
    </form>
  )
}

function refusalText(refused: Refused, t: T): string {
  if (refused.why !== 'wait') return t(`code.${refused.why}`)
  const { seconds } = refused
  const time =
    seconds < 60 ? t('seconds', { count: seconds }) : t('minutes', { count: Math.ceil(seconds / 60) })
  return t('code.wait', { time })
}
