import type { Viewer } from '../live/visibility.ts'

/**
 * For whom presence is read; null: for everybody. A ghost-banned user is present for themselves alone, and on the site for
 * root admins too.
 */
export type Observer = Pick<Viewer, 'userId' | 'role'> | null
