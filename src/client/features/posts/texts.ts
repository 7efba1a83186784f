import type { PostSort } from '../../../shared/posts/post.ts'

/** Of the menu entry and of its panel (specification 2, point 2, "Side menu"). */
export const OWN_POSTS_TITLE = 'Gönderilerim'
/** Texts of specification 2, point 2, "Posts panel". */
export const NEW_POST_TITLE = 'Yeni Paylaşım'
export const ARCHIVE_TITLE = 'Arşiv'

/** The orders of a list, in the order of the menu. */
export const SORT_LABELS = [
  ['createdAt_DESC', 'En yeni'],
  ['createdAt_ASC', 'En eski'],
  ['score', 'En beğenilen'],
] as const satisfies readonly (readonly [PostSort, string])[]
