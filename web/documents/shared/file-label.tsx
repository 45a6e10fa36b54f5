import { useTexts } from '../../i18n/use-texts.ts'
import { DocumentIcon } from '../../ui/look/icons.tsx'
import { formatSize } from './size.ts'

/** The name and size of a file with its icon; whoever shows them arranges them. */
export function FileLabel({ name, size }: { name: string; size: number }) {
  const { t } = useTexts('documents')
  return (
    <>
      <DocumentIcon size={20} />
      <span>
        <b>{name}</b>
        <small>{formatSize(size, t)}</small>
      </span>
    </>
  )
}
