/** Lists the uses of something: links to those that the person may see, and how many more there are. */
import { Link } from '@tanstack/react-router'
import { requestStatusLabel } from '@kelisim/domain/requests/status.ts'
import type { Use, Uses } from '@kelisim/domain/uses/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import classes from './uses.module.css'

export function UsesList({ uses, more, onOpen }: Uses & { onOpen?: () => void }) {
  const { t } = useTexts()
  const rest = uses.length === 0 ? t('uses.hidden', { count: more }) : t('uses.more', { count: more })
  return (
    <ul className={classes.uses}>
      {uses.map((use) => (
        <li key={use.id}>
          <UseLink use={use} {...(onOpen && { onOpen })} />
          <Note use={use} />
        </li>
      ))}
      {more > 0 && <li className={classes.more}>{rest}</li>}
    </ul>
  )
}

function UseLink({ use: { kind, id, name }, onOpen }: { use: Use; onOpen?: () => void }) {
  const opening = onOpen && { onClick: onOpen }
  switch (kind) {
    case 'request':
      return (
        <Link to="/signingRequests/$route" params={{ route: id }} {...opening}>
          {name}
        </Link>
      )
    case 'route':
      return (
        <Link to="/signaturePointsRoutes/$path" params={{ path: id }} {...opening}>
          {name}
        </Link>
      )
    case 'routeTemplate':
      return (
        <Link to="/signaturePointsRouteTemplates/$path" params={{ path: id }} {...opening}>
          {name}
        </Link>
      )
  }
}

/** The status of a request, if the page has loaded its texts; the kind of anything else. */
function Note({ use: { kind, status } }: { use: Use }) {
  const { t, find } = useTexts()
  const word =
    kind === 'request'
      ? status !== null && find(`requests-lists:status.${requestStatusLabel(status)}`)
      : t(`uses.kinds.${kind}`)
  return word ? <small>{word}</small> : null
}
