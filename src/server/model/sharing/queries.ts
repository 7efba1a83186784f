import { query } from '../schema/query.ts'

/** More rooms than a site has; a sitemap may have 50,000 (sitemaps.org). */
const MAX_ROOMS_OF_SITEMAP = 10_000

/** Listed rooms that everybody may enter without a password. */
export const roomsForSitemap = query()((db) =>
  db
    .selectFrom('room')
    .select('id')
    .where('isList', '=', 1)
    .where('isActive', '=', 1)
    .where('passwordHash', 'is', null)
    .orderBy('id')
    .limit(MAX_ROOMS_OF_SITEMAP),
)
