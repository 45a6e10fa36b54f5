/** Finding words in a PDF: the pages that have them, one after another. */
import { useRef, useState, type FormEvent } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import type { PDFDocumentProxy } from './pdf-reader.ts'
import classes from './preview.module.css'

type Found = { words: string; pages: number[]; at: number }

export function PdfSearch({ pdf, onPage }: { pdf: PDFDocumentProxy; onPage: (page: number) => void }) {
  const { t } = useTexts('documents')
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const texts = useRef<Promise<string[]> | null>(null)

  /** Enter finds; Enter again goes on to the next page that has it. */
  async function find(event: FormEvent): Promise<void> {
    event.preventDefault()
    const words = plain(typed)
    if (words === '') return setFound(null)
    let next: Found
    if (found?.words === words) next = { ...found, at: (found.at + 1) % Math.max(1, found.pages.length) }
    else {
      texts.current ??= textsOf(pdf)
      const pages = (await texts.current).flatMap((text, i) => (text.includes(words) ? [i + 1] : []))
      next = { words, pages, at: 0 }
    }
    setFound(next)
    const page = next.pages[next.at]
    if (page !== undefined) onPage(page)
  }

  const page = found?.pages[found.at]
  return (
    <form className={classes.find} role="search" onSubmit={(event) => void find(event)}>
      <SearchIcon size={16} />
      <input
        type="search"
        aria-label={t('preview.search')}
        placeholder={t('preview.search')}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <span role="status">
        {found &&
          (page === undefined
            ? t('preview.notFound')
            : t('preview.found', { page, at: found.at + 1, total: found.pages.length }))}
      </span>
    </form>
  )
}

/** Read once; lines that are broken in the document are not broken for who looks for words. */
async function textsOf(pdf: PDFDocumentProxy): Promise<string[]> {
  const texts: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    texts.push(plain(items.map((item) => ('str' in item ? item.str : '')).join(' ')))
  }
  return texts
}

function plain(text: string): string {
  return text.toLocaleLowerCase('kk').replaceAll(/\s+/g, ' ').trim()
}
