import { icon } from '../../core/ui/composer-icons.tsx'

/** Icons of files in messages, kept out of the first file of a room. */
export const MicrophoneIcon = icon(
  <path d="M12 3.5a3 3 0 0 0-3 3V12a3 3 0 0 0 6 0V6.5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />,
)
export const TrashIcon = icon(<path d="M4.5 6.5h15M9.5 6.5v-2h5v2M6.5 6.5l.8 13h9.4l.8-13M10 10.5v5.5M14 10.5v5.5" />)
export const PlayIcon = icon(<path d="M8.5 5.5v13l10-6.5Z" fill="currentColor" />)
export const PauseIcon = icon(<path d="M8.5 6v12M15.5 6v12" strokeWidth="3" />)
export const StopIcon = icon(<rect x="6.5" y="6.5" width="11" height="11" rx="2" fill="currentColor" />)
export const PaperclipIcon = icon(
  <path d="m19.5 11.5-7.6 7.6a4.7 4.7 0 0 1-6.7-6.7l7.9-7.9a3.1 3.1 0 0 1 4.4 4.4l-7.8 7.8a1.6 1.6 0 0 1-2.2-2.2l7-7" />,
)
export const VideoIcon = icon(<path d="M3.5 6.5h11.5v11H3.5ZM15 10.5l5.5-3v9l-5.5-3" />)
export const MusicIcon = icon(
  <path d="M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM19 15.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z" />,
)
export const PictureIcon = icon(<path d="M4 5h16v14H4ZM4 16l4.5-4.5 4 4 2.5-2.5 5 4.5M15.5 9.5a1 1 0 1 0 0-.1" />)
