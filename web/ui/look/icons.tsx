/** Line icons on a grid of 24 pixels, in the size and colour of the text around them. */
import { icon } from './icon.tsx'

export const OutgoingIcon = icon(
  <>
    <path d="M12 14V3m0 0L7.5 7.5M12 3l4.5 4.5" />
    <path d="M4 15v3.5A2.5 2.5 0 0 0 6.5 21h11a2.5 2.5 0 0 0 2.5-2.5V15" />
  </>,
)
export const DocumentIcon = icon(
  <>
    <path d="M14 3H7.5A2.5 2.5 0 0 0 5 5.5v13A2.5 2.5 0 0 0 7.5 21h9a2.5 2.5 0 0 0 2.5-2.5V8z" />
    <path d="M14 3v5h5M9 13h6M9 17h4" />
  </>,
)
export const RouteIcon = icon(
  <>
    <circle cx="6" cy="6" r="2.5" />
    <circle cx="18" cy="18" r="2.5" />
    <path d="M8.5 6H15a3 3 0 0 1 0 6H9a3 3 0 0 0 0 6h6.5" />
  </>,
)
export const PointIcon = icon(
  <>
    <path d="M12 21s-7-6.2-7-11.5a7 7 0 0 1 14 0C19 14.8 12 21 12 21z" />
    <circle cx="12" cy="9.5" r="2.5" />
  </>,
)
export const TagIcon = icon(
  <>
    <path d="M3.5 12.5V5A1.5 1.5 0 0 1 5 3.5h7.5l8 8a1.5 1.5 0 0 1 0 2.1l-6.9 6.9a1.5 1.5 0 0 1-2.1 0z" />
    <circle cx="8.5" cy="8.5" r="1.2" />
  </>,
)
export const SettingsIcon = icon(
  <>
    <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
    <circle cx="15.5" cy="7" r="2.5" />
    <circle cx="8.5" cy="17" r="2.5" />
  </>,
)
export const HelpIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M9.5 9.3a2.6 2.6 0 0 1 5 .9c0 1.8-2.5 2.1-2.5 3.8M12 17.2v.1" />
  </>,
)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />)
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />)
export const ArrowUpIcon = icon(<path d="M12 19V5m0 0-6 6m6-6 6 6" />)
export const ArrowDownIcon = icon(<path d="M12 5v14m0 0 6-6m-6 6-6-6" />)
export const DownloadIcon = icon(
  <>
    <path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5" />
    <path d="M5 20h14" />
  </>,
)
export const QuickSendIcon = icon(<path d="M13 3 5 13.5h6L10.5 21 19 10h-6z" />)
export const ZoomInIcon = icon(
  <>
    <circle cx="11" cy="11" r="7" />
    <path d="m20 20-4-4M8 11h6M11 8v6" />
  </>,
)
export const ZoomOutIcon = icon(
  <>
    <circle cx="11" cy="11" r="7" />
    <path d="m20 20-4-4M8 11h6" />
  </>,
)
export const ChevronDownIcon = icon(<path d="m6 9.5 6 6 6-6" />)
export const ChevronRightIcon = icon(<path d="m9.5 6 6 6-6 6" />)
export const ChevronLeftIcon = icon(<path d="m14.5 6-6 6 6 6" />)
export const SearchIcon = icon(
  <>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </>,
)
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />)
export const BuildingIcon = icon(
  <>
    <path d="M5 21V5.5A1.5 1.5 0 0 1 6.5 4h7A1.5 1.5 0 0 1 15 5.5V21M15 10h2.5A1.5 1.5 0 0 1 19 11.5V21M3 21h18" />
    <path d="M8.5 8h3M8.5 12h3M8.5 16h3" />
  </>,
)
export const PeopleIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20c.5-3.5 3-5.5 6.5-5.5s6 2 6.5 5.5M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.9c2 .7 3.2 2.5 3.5 5.1" />
  </>,
)
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.7-4 3.5-6 7.5-6s6.8 2 7.5 6" />
  </>,
)
export const MailIcon = icon(
  <>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="m4 7.5 8 6 8-6" />
  </>,
)
export const HistoryIcon = icon(
  <>
    <path d="M4 5v4h4M4.3 9a8.5 8.5 0 1 1-.8 3.5" />
    <path d="M12 8v4.5l3 1.8" />
  </>,
)
export const SignOutIcon = icon(
  <path d="M14 4H7.5A1.5 1.5 0 0 0 6 5.5v13A1.5 1.5 0 0 0 7.5 20H14M11 12h9.5m0 0L17 8.5m3.5 3.5L17 15.5" />,
)
export const SwitchIcon = icon(
  <path d="M4 8h15m0 0-3.5-3.5M19 8l-3.5 3.5M20 16H5m0 0 3.5-3.5M5 16l3.5 3.5" />,
)
export const BellIcon = icon(
  <>
    <path d="M6 16V10.5a6 6 0 0 1 12 0V16l1.5 2h-15z" />
    <path d="M10 20.5a2.2 2.2 0 0 0 4 0" />
  </>,
)
export const EditIcon = icon(
  <path d="M4 20h4.5L19.5 9a2 2 0 0 0 0-2.8l-1.7-1.7a2 2 0 0 0-2.8 0L4 15.5zM13 6.5 17.5 11" />,
)
export const TrashIcon = icon(
  <path d="M4.5 7h15M9.5 7V5A1.5 1.5 0 0 1 11 3.5h2A1.5 1.5 0 0 1 14.5 5v2M6.5 7l.9 12a1.5 1.5 0 0 0 1.5 1.4h6.2a1.5 1.5 0 0 0 1.5-1.4l.9-12M10 11v5.5M14 11v5.5" />,
)
export const ExternalIcon = icon(
  <path d="M13 5h6v6M19 5l-9 9M17 14.5v3a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 5 17.5v-9A1.5 1.5 0 0 1 6.5 7H10" />,
)
export const WarningIcon = icon(<path d="M12 4.5 2.8 20h18.4zM12 10.5v4M12 17.3v.1" />)
export const ColumnsIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="2" />
    <path d="M9.2 4.5v15M14.8 4.5v15" />
  </>,
)
export const CompareIcon = icon(<path d="M4 5h6v14H4zM14 5h6v14h-6zM6 9h2M6 12h2M16 9h2M16 15h2" />)
export const SendIcon = icon(<path d="M20.5 3.5 3.5 10.2l6.8 3.5 3.5 6.8zM10.3 13.7 14 10" />)
export const GripIcon = icon(<path d="M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1" strokeWidth={2.6} />)
export const DotsIcon = icon(<path d="M5.5 12v.1M12 12v.1M18.5 12v.1" strokeWidth={2.6} />)
export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2" />
    <path d="M15.5 8.5V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7.5a2 2 0 0 0 2 2h2.5" />
  </>,
)
export const PauseIcon = icon(<path d="M8.5 5v14M15.5 5v14" />)
export const PlayIcon = icon(<path d="M7.5 5v14l11-7z" />)
export const RefreshIcon = icon(
  <>
    <path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3" />
    <path d="M19.5 3.5v4h-4" />
  </>,
)
export const PhoneIcon = icon(
  <>
    <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
    <path d="M11 18.5h2" />
  </>,
)
export const CalendarIcon = icon(
  <>
    <rect x="4" y="5.5" width="16" height="14.5" rx="2.5" />
    <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4" />
  </>,
)
export const DesktopIcon = icon(
  <>
    <rect x="3" y="4.5" width="18" height="12" rx="2" />
    <path d="M9 20h6M12 16.5V20" />
  </>,
)
