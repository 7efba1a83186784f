import { PictureIcon, VideoIcon } from '../../model/media/icons.tsx'

/** The two types of posts as the new-post form offers them. */
export const POST_TYPES = [
  { value: 'photo', label: 'Fotoğraf', icon: <PictureIcon size={18} /> },
  { value: 'video', label: 'Video', icon: <VideoIcon size={18} /> },
] as const
