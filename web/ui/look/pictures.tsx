/** Drawings: the logo, and the pictures of empty and failed pages. */

/** A pen stroke that closes into a seal. */
export function Mark({ size = 30 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" strokeLinecap="round" aria-hidden="true">
      <path d="M26.2 7.2A13.5 13.5 0 1 0 28.6 21" stroke="var(--prim)" strokeWidth="2.6" />
      <path
        d="M7 19.5c3.4-6.6 6.6-9.3 7.6-6.6 1 2.6-2.7 7.2.2 7.4 2.7.2 4.6-7.8 7.5-7.8 2.6 0 1 5.2 2.3 6.9.9 1.2 2.7.6 5.2-2.1"
        stroke="var(--gold)"
        strokeWidth="2.6"
      />
    </svg>
  )
}

/** The seal of a finished document: the pen stroke of the logo inside a closed double ring. */
export function Seal({ size = 52 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 52 52" fill="none" strokeLinecap="round" aria-hidden="true">
      <circle cx="26" cy="26" r="24" fill="var(--ok-soft)" stroke="var(--ok)" strokeWidth="2.4" />
      <circle cx="26" cy="26" r="19.4" stroke="var(--ok)" strokeWidth="1" strokeDasharray="1.6 2.6" />
      <path
        d="M12.6 29.4c4.3-8.4 8.4-11.8 9.7-8.4 1.3 3.3-3.5 9.2.2 9.4 3.5.3 5.9-9.9 9.6-9.9 3.3 0 1.3 6.6 2.9 8.8 1.1 1.5 2.6.9 4.9-1.4"
        stroke="var(--ok)"
        strokeWidth="2.8"
      />
    </svg>
  )
}

function Sheet({ x, y, turn }: { x: number; y: number; turn: number }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`}>
      <path
        d="M0 4a4 4 0 0 1 4-4h36l16 16v56a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4z"
        fill="var(--paper)"
        stroke="var(--line)"
        strokeWidth="2"
      />
      <path d="M40 0v12a4 4 0 0 0 4 4h12" stroke="var(--line)" strokeWidth="2" fill="var(--soft)" />
      <path d="M12 30h32M12 40h32M12 50h20" stroke="var(--line)" strokeWidth="3" strokeLinecap="round" />
    </g>
  )
}

export function EmptyPicture() {
  return (
    <svg viewBox="0 0 168 120" fill="none" aria-hidden="true">
      <ellipse cx="84" cy="108" rx="60" ry="6" fill="var(--off-soft)" />
      <Sheet x={38} y={26} turn={-8} />
      <Sheet x={62} y={16} turn={4} />
      <path
        d="M76 84c5-9 9-13 11-9s-4 10 0 10 7-10 11-10 2 7 4 9c1 1.5 4 1 8-2"
        stroke="var(--gold)"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  )
}

export function LostPicture() {
  return (
    <svg viewBox="0 0 168 120" fill="none" aria-hidden="true">
      <path d="M0 100c28-22 46-22 70-6s52 12 98-14v40H0z" fill="var(--prim-soft)" />
      <path
        d="M20 104c30-14 44-10 62-2s40 10 70-10"
        stroke="var(--prim)"
        strokeWidth="2.5"
        strokeDasharray="2 8"
        strokeLinecap="round"
      />
      <circle cx="132" cy="30" r="14" fill="var(--gold-soft)" stroke="var(--gold)" strokeWidth="2" />
      <Sheet x={52} y={16} turn={6} />
      <path
        d="M70 44c0-5 4-8 9-8s9 3 9 8c0 6-9 6-9 13M79 66v1"
        stroke="var(--prim)"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </svg>
  )
}

export function FailurePicture() {
  return (
    <svg viewBox="0 0 168 120" fill="none" aria-hidden="true">
      <ellipse cx="84" cy="108" rx="60" ry="6" fill="var(--off-soft)" />
      <Sheet x={56} y={18} turn={0} />
      <path
        d="M50 62 74 54l10 14 14-12 26 8"
        stroke="var(--bad)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="118" cy="34" r="12" fill="var(--bad-soft)" stroke="var(--bad)" strokeWidth="2" />
      <path d="M118 29v6M118 39v.1" stroke="var(--bad)" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
