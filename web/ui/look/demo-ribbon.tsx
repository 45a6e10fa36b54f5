/** Says on every page of a demo that it is one; the landing and the sign-in pages draw the same ribbon. */
import { pages } from '@kelisim/domain/pages.ts'
import { MailIcon } from './icons.tsx'
import classes from './demo-ribbon.module.css'

export function DemoRibbon({ text, mailbox }: { text: string; mailbox?: string }) {
  return (
    <section className={classes.ribbon} aria-label={text}>
      <p>{text}</p>
      {mailbox !== undefined && (
        <a href={pages.mailbox}>
          <MailIcon size={16} />
          <span>{mailbox}</span>
        </a>
      )}
    </section>
  )
}
