/** Drawings in the colours of the theme. */

export function Tick() {
  return (
    <svg className="tick" width="18" height="18" viewBox="0 0 18 18" fill="none" aria-hidden="true">
      <circle cx="9" cy="9" r="9" fill="var(--prim-soft)" />
      <path
        d="m5.4 9.3 2.5 2.5 4.8-5.4"
        stroke="var(--prim)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The logo as a seal: a pen stroke with ram's horns around it. */
export function Seal() {
  const horns = Array.from({ length: 12 }, (_, i) => i * 30)
  return (
    <svg className="seal" viewBox="0 0 160 160" fill="none" strokeLinecap="round" aria-hidden="true">
      <circle cx="80" cy="80" r="76" fill="var(--seal)" stroke="var(--gold)" strokeWidth="2.5" />
      <circle cx="80" cy="80" r="54" stroke="var(--gold)" strokeWidth="1.5" />
      {horns.map((turn) => (
        <path
          key={turn}
          transform={`rotate(${turn} 80 80)`}
          d="M80 24v-6c0-6-8-8-9.5-3-1 4 4 6 5.5 2.5M80 18c0-6 8-8 9.5-3 1 4-4 6-5.5 2.5"
          stroke="var(--gold)"
          strokeWidth="1.8"
        />
      ))}
      <path d="M103 54a35 35 0 1 0 9 38" stroke="var(--prim)" strokeWidth="5.5" />
      <path
        d="M54 88c9-17 17-24 19.5-17s-7 19 .5 19.5c7 .5 12-20 19.5-20 7 0 2.5 13.5 6 18 2.4 3 7 1.5 13.5-5.5"
        stroke="var(--gold)"
        strokeWidth="5.5"
      />
    </svg>
  )
}

/** A border of ram's horns; `of` is the element it stands above. */
export function Ornament({ of }: { of: string }) {
  return (
    <svg className="ornament" height="28" width="100%" aria-hidden="true">
      <defs>
        <pattern id={`horns-${of}`} width="56" height="28" patternUnits="userSpaceOnUse">
          <path
            d="M28 28V15C28 5 15 3 12.5 10c-1.7 6 6.5 9 9 4M28 15C28 5 41 3 43.5 10c1.7 6-6.5 9-9 4M0 17l5 5.5-5 5.5M56 17l-5 5.5 5 5.5"
            fill="none"
            stroke="currentcolor"
            strokeWidth="2"
            strokeLinecap="round"
          />
        </pattern>
      </defs>
      <rect width="100%" height="28" fill={`url(#horns-${of})`} />
    </svg>
  )
}

/** A route: one person, two persons in parallel who have answered, and the last one with the final tick. */
export function RoutePicture() {
  const person = (x: number, y: number) => (
    <g transform={`translate(${x} ${y})`} key={`${x} ${y}`}>
      <circle r="27" fill="var(--paper)" stroke="var(--prim)" strokeWidth="2" />
      <circle cy="-6" r="7.5" fill="var(--prim)" opacity=".85" />
      <path d="M-14 15c2-12 26-12 28 0" fill="var(--prim)" opacity=".85" />
    </g>
  )
  return (
    <svg className="picture" viewBox="0 0 460 180" fill="none" strokeLinecap="round" aria-hidden="true">
      <path
        d="M72 90h46c30 0 30-46 58-46h18M118 90c30 0 30 46 58 46h18M248 44h18c28 0 28 46 58 46h52M248 136h18c28 0 28-46 58-46"
        stroke="var(--edge)"
        strokeWidth="2.5"
        strokeDasharray="2 8"
      />
      {[
        [45, 90],
        [221, 44],
        [221, 136],
        [405, 90],
      ].map(([x, y]) => person(x!, y!))}
      <circle cx="426" cy="68" r="15" fill="var(--gold-soft)" stroke="var(--gold)" strokeWidth="2" />
      <path d="m419.5 68 4.5 5 8.5-9.5" stroke="var(--gold)" strokeWidth="2.6" strokeLinejoin="round" />
      <circle cx="242" cy="22" r="11" fill="var(--prim)" />
      <path d="m237 22 3.5 3.8 6.5-7.3" stroke="var(--paper)" strokeWidth="2.2" strokeLinejoin="round" />
      <circle cx="242" cy="114" r="11" fill="var(--prim)" />
      <path d="m237 114 3.5 3.8 6.5-7.3" stroke="var(--paper)" strokeWidth="2.2" strokeLinejoin="round" />
    </svg>
  )
}

/** A phone that scans a code on a screen. */
export function PhonePicture() {
  const cells = ['1110111', '1010101', '1110111', '0001000', '1101011', '0110110', '1011101']
  return (
    <svg className="picture" viewBox="0 0 460 180" fill="none" strokeLinecap="round" aria-hidden="true">
      <rect
        x="66"
        y="16"
        width="212"
        height="134"
        rx="12"
        fill="var(--paper)"
        stroke="var(--edge)"
        strokeWidth="2"
      />
      <path d="M36 164h272" stroke="var(--edge)" strokeWidth="5" />
      <g transform="translate(137 48)" fill="var(--ink)">
        {cells.flatMap((row, y) =>
          Array.from(row, (cell, x) =>
            cell === '1' ? (
              <rect key={`${x} ${y}`} x={x * 10} y={y * 10} width="9" height="9" rx="2" />
            ) : null,
          ),
        )}
      </g>
      <path d="M288 66c10 8 10 26 0 34M300 56c16 14 16 40 0 54" stroke="var(--gold)" strokeWidth="3" />
      <rect
        x="328"
        y="12"
        width="88"
        height="158"
        rx="16"
        fill="var(--paper)"
        stroke="var(--prim)"
        strokeWidth="2.5"
      />
      <path d="M360 24h24" stroke="var(--prim)" strokeWidth="3" />
      <path
        d="M346 82c6-12 11-17 13-12s-5 13 .5 13.5S370 70 375 70s2 9 4 12 6 1 13-5"
        stroke="var(--gold)"
        strokeWidth="3"
      />
      <path d="M346 96h52" stroke="var(--edge)" strokeWidth="2" />
      <rect x="346" y="118" width="52" height="24" rx="8" fill="var(--prim)" />
      <path d="m365 130 5 5 9-10" stroke="var(--paper)" strokeWidth="2.6" strokeLinejoin="round" />
    </svg>
  )
}

const icons = {
  partner: 'M4 7h24v18H4zM4 8l12 10L28 8M21 25l4 4 6-7',
  checked: 'M16 3 28 7v8c0 7-5 12-12 14C9 27 4 22 4 15V7zM11 16l4 4 7-8',
  printed: 'M9 12V4h14v8M9 24H5V12h22v12h-4M9 19h14v9H9z',
  kept: 'M5 5h22v7H5zM7 12v15h18V12M13 18h6',
  exact: 'M7 3h12l6 6v20H7zM19 3v6h6M12 16h8M12 21h8',
  evidence: 'M16 29A13 13 0 1 0 16 3a13 13 0 0 0 0 26zM16 9v7l5 4',
  independent: 'M14 24a10 10 0 1 0 0-20 10 10 0 0 0 0 20zM21 21l8 8M10 14l3 3 5-6',
} as const

export function Icon({ name }: { name: keyof typeof icons }) {
  return (
    <svg
      className="icon"
      width="34"
      height="34"
      viewBox="0 0 34 34"
      fill="none"
      stroke="currentcolor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={icons[name]} transform="translate(1 1)" />
    </svg>
  )
}
