/** The icons of this page; importing the application's icons would bundle all of them. */
import { icon } from '../ui/look/icon.tsx'

export const GoodIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />)
export const BadIcon = icon(<path d="m6.5 6.5 11 11m0-11-11 11" />)
export const UnknownIcon = icon(<path d="M9 9.2c0-1.7 1.3-3 3-3s3 1.3 3 3c0 2-3 2.3-3 4.6m0 3.4v.1" />)
export const WaitIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>,
)
export const FileIcon = icon(
  <>
    <path d="M14 3H7.5A2.5 2.5 0 0 0 5 5.5v13A2.5 2.5 0 0 0 7.5 21h9a2.5 2.5 0 0 0 2.5-2.5V8z" />
    <path d="M14 3v5h5" />
  </>,
)
export const SignedIcon = icon(
  <>
    <path d="M14 3H7.5A2.5 2.5 0 0 0 5 5.5v13A2.5 2.5 0 0 0 7.5 21h9a2.5 2.5 0 0 0 2.5-2.5V8z" />
    <path d="M14 3v5h5M8.5 16.5c1.5-3 2.6-3.6 3-2.4.4 1-.8 2.4.4 2.4 1 0 1.6-1.6 3.1-1.6" />
  </>,
)
export const PrintIcon = icon(
  <>
    <path d="M7 8.5V3.5h10v5M7 17H5a2 2 0 0 1-2-2v-4.5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2V15a2 2 0 0 1-2 2h-2" />
    <path d="M7 14h10v6.5H7z" />
  </>,
)
export const ArchiveIcon = icon(
  <>
    <path d="M3.5 4.5h17v4h-17zM5 8.5v9a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-9" />
    <path d="M10 12.5h4" />
  </>,
)
export const LockIcon = icon(
  <>
    <rect x="5" y="10.5" width="14" height="9.5" rx="2.2" />
    <path d="M8.5 10.5V7.8a3.5 3.5 0 0 1 7 0v2.7" />
  </>,
)
