import { icon } from '../../core/ui/composer-icons.tsx'

export const PostsIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="16" rx="3" />
    <path d="M4 15.5 8.5 11l4 4 2.5-2.5 5 4.5M15.5 8.7v.1" />
  </>,
)
export const HeartIcon = icon(
  <path d="M12 20S3.5 14.8 3.5 9a4.6 4.6 0 0 1 8.5-2.5A4.6 4.6 0 0 1 20.5 9c0 5.8-8.5 11-8.5 11Z" />,
)
export const CommentIcon = icon(
  <path d="M12 4.5c-4.7 0-8.5 3.1-8.5 7 0 2.1 1.1 4 2.9 5.3L5.5 20.5l4-2c.8.2 1.6.3 2.5.3 4.7 0 8.5-3.2 8.5-7.2s-3.8-7.1-8.5-7.1Z" />,
)
export const UploadIcon = icon(<path d="M12 16V5M7 9.5 12 4.5l5 5M4.5 15.5v2a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-2" />)
