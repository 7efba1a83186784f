import { icon } from '../../core/ui/composer-icons.tsx'

/** Icons of calls. */
const HANDSET =
  'M6.2 4.2h2.4l1.5 4-1.9 1.5a12.4 12.4 0 0 0 6.1 6.1l1.5-1.9 4 1.5v2.4a2 2 0 0 1-2.2 2C10.7 19.2 4.8 13.3 4.2 6.4a2 2 0 0 1 2-2.2Z'
export const CallIcon = icon(<path d={HANDSET} />)
export const HangUpIcon = icon(
  <path d="M3.3 14.6c-.8-1.5-.5-3.2.8-4.2 4.7-3.6 11.1-3.6 15.8 0 1.3 1 1.6 2.7.8 4.2-.4.8-1.3 1.1-2.1.8l-2.6-.9a1.5 1.5 0 0 1-1-1.4v-1.6a10.5 10.5 0 0 0-6 0v1.6a1.5 1.5 0 0 1-1 1.4l-2.6.9c-.8.3-1.7 0-2.1-.8Z" />,
)
export const CameraIcon = icon(
  <path d="M5.5 6.5h7.5a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5.5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM15 11l5.5-3.2v8.4L15 13" />,
)
export const CameraOffIcon = icon(
  <path d="M4 4l16 16M8 6.5h5a2 2 0 0 1 2 2v5M15 11l5.5-3.2v8.4l-3-1.7M14.6 16.7a2 2 0 0 1-1.6.8H5.5a2 2 0 0 1-2-2v-7a2 2 0 0 1 1.3-1.9" />,
)
export const MicrophoneOffIcon = icon(
  <path d="M4 4l16 16M9 9v3a3 3 0 0 0 4.6 2.5M15 11.5v-5a3 3 0 0 0-5.7-1.3M5.5 11.5a6.5 6.5 0 0 0 10 5.5M18.5 11.5a6.5 6.5 0 0 1-.6 2.7M12 18v3" />,
)
export const SpeakerIcon = icon(
  <path d="M4 9.5v5h3.5l4.5 4v-13l-4.5 4ZM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" />,
)
export const SpeakerOffIcon = icon(<path d="M4 9.5v5h3.5l4.5 4v-13l-4.5 4ZM16 9.8l4.5 4.5M20.5 9.8 16 14.3" />)
export const ScreenIcon = icon(<path d="M4 5h16v11H4ZM9 20h6M12 16v4M12 13V8.5M9.8 10.4 12 8.2l2.2 2.2" />)
export const FlipIcon = icon(
  <path d="M4.5 11A7.6 7.6 0 0 1 18 7.5l1.5 1.7M19.5 5v4.2h-4.2M19.5 13A7.6 7.6 0 0 1 6 16.5l-1.5-1.7M4.5 19v-4.2h4.2" />,
)
export const PopOutIcon = icon(
  <path d="M20 11V7a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h4.5M13.5 13.5h7V19h-7Z" />,
)
export const EnlargeIcon = icon(<path d="M14 4.5h5.5V10M10 19.5H4.5V14M19.5 4.5 13.5 10.5M4.5 19.5l6-6" />)
export const ShrinkIcon = icon(<path d="M19.5 10H14V4.5M4.5 14H10v5.5M14 10l6-6M10 14l-6 6" />)
export const GripIcon = icon(<path d="M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1" strokeWidth="2.8" />)
export const LockIcon = icon(<path d="M6 11h12v8.5H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />)
