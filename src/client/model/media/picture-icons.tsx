import { icon } from '../../core/ui/composer-icons.tsx'

export const HiddenIcon = icon(
  <path d="M4 4l16 16M9.6 6A9.6 9.6 0 0 1 12 5.7c5.5 0 8.8 6.3 8.8 6.3a16 16 0 0 1-2.7 3.5M6.3 7.4C4.4 9 3.2 12 3.2 12s3.3 6.3 8.8 6.3c1.5 0 2.8-.4 4-1.1M10 10a2.8 2.8 0 0 0 4 4" />,
)
export const BrokenIcon = icon(<path d="M4 5h16v14H4ZM4 16l4.5-4.5 3 3 2-2M14.5 14.5 20 20M9 8.7v.1" />)
export const DownloadIcon = icon(<path d="M12 4v11M7 10.5l5 5 5-5M5 20h14" />)
export const ZoomIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5M10.5 8v5M8 10.5h5" />
  </>,
)
