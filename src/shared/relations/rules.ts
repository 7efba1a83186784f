import { isolateBidi } from '../text/bidi-isolate.ts'

/** The most blocks of one user: every read filters by all of them. */
export const MAX_BLOCKS = 1000
/** The most blocked users of one answer. */
export const BLOCKS_PER_PAGE = 50

/** Labels of menus and buttons. */
export const BLOCK_LABEL = 'Engelle'
export const UNBLOCK_LABEL = 'Engeli Kaldır'
export const BLOCKED_USERS_LABEL = 'Engellenen Kullanıcılar'

/** Toasts (specification 1, point 8; specification 2, point 8). */
export const BLOCK_FAILED = 'Kullanıcı engellenirken bir hata oluştu.'
export const UNBLOCK_FAILED = 'Kullanıcının engelini kaldırırken bir hata oluştu.'
export const UNBLOCK_DONE = 'Kullanıcının engeli kaldırıldı.'
export const BLOCKED_USERS_NOT_LOADED = 'Engellenen kullanıcılar yüklenirken hata oluştu.'
export const BLOCK_NOT_LIFTED = 'Engel kaldırılırken hata oluştu.'

/** The toast after an unblock in the list of blocked users, and the event's text for the blocker. */
export function unblockedText(username: string): string {
  return `${isolateBidi(username)} engeli kaldırıldı.`
}

/** The toast after a block, and the event's text for the blocker. */
export function blockedText(username: string): string {
  return `${isolateBidi(username)} engellendi.`
}
