import { MAX_MENTIONS } from '../../../shared/room-chat/limits.ts'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { capitaliseFirst, foldName } from '../../../shared/text/turkish.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { findUserByName, type UserRow } from '../accounts/queries.ts'

/** Message text whose remaining mentions all name existing users, and those users without duplicates. */
export interface ResolvedMentions {
  content: string
  mentioned: UserRow[]
}

/**
 * Removes the @ of every name that has no holder. Users in a room hold their names, so one lookup by name covers room
 * users and all others. Names beyond `MAX_MENTIONS` are treated as unknown.
 */
export function resolveMentions(tx: Transaction, content: string): ResolvedMentions {
  if (!content.includes('@')) return { content, mentioned: [] }
  const usersByName = new Map<string, UserRow | undefined>()
  const findUser = (name: string): UserRow | undefined => {
    const folded = foldName(name)
    if (!usersByName.has(folded) && usersByName.size < MAX_MENTIONS) usersByName.set(folded, findUserByName(tx, name))
    return usersByName.get(folded)
  }
  const pieces = parseRichText(content).map((piece) =>
    piece.kind !== 'mention' || findUser(piece.name) ? piece.text : piece.name,
  )
  const mentioned = [...usersByName.values()].filter((user) => user !== undefined)
  return { content: capitaliseFirst(pieces.join('')), mentioned }
}
