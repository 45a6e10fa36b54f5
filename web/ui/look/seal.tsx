import classes from './seal.module.css'

/**
 * The mark of the product when something is signed for good: the pen stroke is drawn, and the ring around it closes.
 */
export function Seal({ size = 88 }: { size?: number }) {
  return (
    <svg
      className={classes.seal}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle className={classes.ground} cx="16" cy="16" r="13.5" />
      <path
        className={classes.pen}
        pathLength={1}
        d="M6.4 19.5c3-6.6 5.9-9.3 6.8-6.6.9 2.6-2.4 7.2.2 7.4 2.4.2 4.1-7.8 6.7-7.8 2.3 0 .9 5.2 2.1 6.9.8 1.2 2.2.6 3.8-1.4"
      />
      <path
        className={classes.ring}
        pathLength={1}
        d="M26.4 18.4A10.7 10.7 0 0 0 29.5 16a13.5 13.5 0 1 0-27 0 13.5 13.5 0 1 0 27 0"
      />
    </svg>
  )
}
