import { icon } from '../ui/icons.tsx'

/** Icons of files in messages, kept out of the first file of a room. */
export const MicrophoneIcon = icon(
  <path d="M12 3.5a3 3 0 0 0-3 3V12a3 3 0 0 0 6 0V6.5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />,
)
export const TrashIcon = icon(<path d="M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 13h9.4l.8-13M10 10.5v5.5M14 10.5v5.5" />)
export const PlayIcon = icon(<path d="M8.5 5.5v13l10-6.5Z" fill="currentColor" />)
export const PauseIcon = icon(<path d="M8.5 6v12M15.5 6v12" strokeWidth="3" />)
export const StopIcon = icon(<rect x="6.5" y="6.5" width="11" height="11" rx="2" fill="currentColor" />)
