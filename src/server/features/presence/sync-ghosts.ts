import type { AppContext } from '../../kernel/app-context.ts'
import { ghostUsers } from '../../model/presence/queries.ts'

/** Hides ghost-banned users from the presence of this region, as its log says. */
export function syncGhosts({
  publisher,
  presence,
  reader,
}: Pick<AppContext, 'publisher' | 'presence' | 'reader'>): void {
  const readAll = () => presence.replaceGhosts(reader.all(ghostUsers).map(({ id }) => id))
  readAll()
  publisher.onReset(readAll)
  publisher.on('ghostBanned', ({ payload }) => presence.setGhost(payload.userId, true))
  publisher.on('ghostBanLifted', ({ payload }) => presence.setGhost(payload.userId, false))
}
