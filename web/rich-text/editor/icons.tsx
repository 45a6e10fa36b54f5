/** Icons of the toolbar. */
import { icon } from '../../ui/look/icon.tsx'

export const BoldIcon = icon(<path d="M7 4.5h6a3.7 3.7 0 0 1 0 7.5H7zm0 7.5h7a3.8 3.8 0 0 1 0 7.5H7z" />)
export const ItalicIcon = icon(<path d="M10 4.5h8M6 19.5h8M14.5 4.5l-5 15" />)
export const UnderlineIcon = icon(<path d="M7 4v7a5 5 0 0 0 10 0V4M6 20h12" />)
export const StrikeIcon = icon(
  <path d="M4 12h16M16.5 7.5C16 5.5 14.3 4.5 12 4.500c-2.8 0-4.5 1.5-4.5 3.5 0 1 .4 1.7 1.2 2.300M7.5 16.500c.5 2 2.2 3 4.5 3 2.8 0 4.7-1.4 4.7-3.5 0-.7-.2-1.3-.6-1.8" />,
)
export const AlignLeftIcon = icon(<path d="M4 5h16M4 10h10M4 15h16M4 20h10" />)
export const AlignCenterIcon = icon(<path d="M4 5h16M7 10h10M4 15h16M7 20h10" />)
export const AlignRightIcon = icon(<path d="M4 5h16M10 10h10M4 15h16M10 20h10" />)
export const AlignJustifyIcon = icon(<path d="M4 5h16M4 10h16M4 15h16M4 20h16" />)
export const BulletsIcon = icon(
  <>
    <path d="M10 6h10M10 12h10M10 18h10" />
    <circle cx="4.5" cy="6" r="1" />
    <circle cx="4.5" cy="12" r="1" />
    <circle cx="4.5" cy="18" r="1" />
  </>,
)
export const NumbersIcon = icon(
  <path d="M10 6h10M10 12h10M10 18h10M3.5 4.5 5 4v4.500M3.5 16h2.300v1.500L3.5 20h2.5" />,
)
export const ClausesIcon = icon(
  <path d="M4 4.5 5 4v4M8 8h.01M11 6h9M4 13.500l1-.5v4M7.5 17h.01M9.5 13.500l1-.5v4M13.5 15H20M13.5 20H20" />,
)
export const IndentIcon = icon(<path d="M4 5h16M11 10h9M11 15h9M4 20h16M4 9.500l3 3-3 3" />)
export const OutdentIcon = icon(<path d="M4 5h16M11 10h9M11 15h9M4 20h16M7 9.500l-3 3 3 3" />)
export const TableIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="1.5" />
    <path d="M3.5 9.500h17M3.5 14.500h17M10 4.500v15" />
  </>,
)
export const RowAboveIcon = icon(
  <>
    <rect x="4" y="13" width="16" height="7" rx="1.5" />
    <path d="M12 4v6M9 7h6" />
  </>,
)
export const RowBelowIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="7" rx="1.5" />
    <path d="M12 14v6M9 17h6" />
  </>,
)
export const ColumnLeftIcon = icon(
  <>
    <rect x="13" y="4" width="7" height="16" rx="1.5" />
    <path d="M7 9v6M4 12h6" />
  </>,
)
export const ColumnRightIcon = icon(
  <>
    <rect x="4" y="4" width="7" height="16" rx="1.5" />
    <path d="M17 9v6M14 12h6" />
  </>,
)
export const MergeIcon = icon(
  <>
    <rect x="3.5" y="5" width="17" height="14" rx="1.5" />
    <path d="M12 5v3M12 16v3M7 12h3.5M17 12h-3.5M9 10.5l1.5 1.5L9 13.5M15 10.5 13.5 12l1.5 1.5" />
  </>,
)
export const HeadRowIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="1.5" />
    <path d="M3.5 9.5h17M4 6h16M4 8h16" />
  </>,
)
export const DeleteRowIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="7" rx="1.5" />
    <path d="m9.5 14.5 5 5M14.5 14.5l-5 5" />
  </>,
)
export const DeleteColumnIcon = icon(
  <>
    <rect x="4" y="4" width="7" height="16" rx="1.5" />
    <path d="m14.5 9.5 5 5M19.5 9.5l-5 5" />
  </>,
)
export const DeleteTableIcon = icon(
  <>
    <path d="M12 19.5H5A1.5 1.5 0 0 1 3.5 18V6A1.5 1.5 0 0 1 5 4.5h14A1.5 1.5 0 0 1 20.5 6v6M3.5 9.5h17M10 4.5v15" />
    <path d="m15.5 15.5 5 5M20.5 15.5l-5 5" />
  </>,
)
export const PageBreakIcon = icon(<path d="M6 9V4h12v5M6 15v5h12v-5M3 12h3M10.5 12h3M18 12h3" />)
export const VariableIcon = icon(
  <path d="M8 4c-2 0-2.5 1-2.5 3s0 5-2.5 5c2.5 0 2.5 3 2.5 5s.5 3 2.5 3M16 4c2 0 2.5 1 2.5 3s0 5 2.5 5c-2.5 0-2.5 3-2.5 5s-.5 3-2.5 3M12 12h.01M9 12h.01M15 12h.01" />,
)
export const UndoIcon = icon(<path d="M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11H9" />)
export const RedoIcon = icon(<path d="m16 5 4 4-4 4M20 9H10a5.5 5.5 0 0 0 0 11h5" />)
export const CopyIcon = icon(
  <>
    <rect x="8" y="8" width="12" height="12" rx="2" />
    <path d="M16 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2" />
  </>,
)
export const EyeIcon = icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
)
