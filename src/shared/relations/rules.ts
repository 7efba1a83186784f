import { isolateBidi } from '../text/bidi-isolate.ts'

/** So many people somebody may have blocked at a time: every reading asks them all. */
export const MAX_BLOCKS = 1000
/** How many one answer lists. */
export const BLOCKS_PER_PAGE = 50

/** What can be done, as menus and buttons name it. */
export const BLOCK_LABEL = 'Engelle'
export const UNBLOCK_LABEL = 'Engeli Kaldır'
export const BLOCKED_USERS_LABEL = 'Engellenen Kullanıcılar'

/** Toasts (specification 1, point 8; specification 2, point 8). */
export const BLOCK_FAILED = 'Kullanıcı engellenirken bir hata oluştu.'
export const UNBLOCK_FAILED = 'Kullanıcının engelini kaldırırken bir hata oluştu.'
export const UNBLOCK_DONE = 'Kullanıcının engeli kaldırıldı.'
export const BLOCKED_USERS_NOT_LOADED = 'Engellenen kullanıcılar yüklenirken hata oluştu.'
export const BLOCK_NOT_LIFTED = 'Engel kaldırılırken hata oluştu.'

/** The confirmation of a lifted block, in the list of them. */
export function unblockedText(username: string): string {
  return `${isolateBidi(username)} engeli kaldırıldı.`
}

/** The confirmation of a block. */
export function blockedText(username: string): string {
  return `${isolateBidi(username)} engellendi.`
}
