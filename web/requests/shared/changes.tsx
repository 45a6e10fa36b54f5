/** What others did to a request, one line each. */
import { useTexts } from '../../i18n/use-texts.ts'
import { useActorName } from './actor-name.ts'
import type { Change } from './changes-since.ts'

export function Changes({ changes }: { changes: readonly Change[] }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  return changes.map(({ what, by, comment }, i) => {
    const happened = t(`dialogs.happened.${what}`, { name: actorName(by) })
    return (
      // oxlint-disable-next-line react/no-array-index-key -- the list only grows
      <p key={i}>{comment === '' ? `${happened}.` : t('dialogs.happenedWith', { happened, comment })}</p>
    )
  })
}
