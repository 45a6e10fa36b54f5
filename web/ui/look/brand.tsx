import classes from './brand.module.css'
import { Mark } from './pictures.tsx'

/** The logo and the name of the product, as a link. */
export function BrandLink(props: {
  href: string
  name: string
  label?: string
  /** Shows only the logo on a phone, where the header has no room for the name. */
  isCompactOnPhone?: boolean
}) {
  return (
    <a
      className={classes.brand}
      href={props.href}
      aria-label={props.label}
      {...(props.isCompactOnPhone && { 'data-compact': true })}
    >
      <Mark />
      <span>{props.name}</span>
    </a>
  )
}
