import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../../model/schema/query.ts'

/** The default rooms: listed, without owner or expiry. Room 1 is the one that a sign-in opens. */
const DEFAULT_ROOM_NAMES = ['Meydan', 'Sohbet', 'Müzik', 'Oyun', 'Gece Kuşları']
const DEFAULT_ROOM_CAPACITY = 100_000

const countRooms = query()((db) => db.selectFrom('room').select((eb) => eb.fn.countAll<number>().as('count')))
const insertRoom = query<{ name: string; foldedName: string; capacity: number; now: number }>()((db, p) =>
  db.insertInto('room').values({
    name: p('name'),
    foldedName: p('foldedName'),
    greetingMessage: null,
    capacity: p('capacity'),
    isList: 1,
    isActive: 1,
    ownerId: null,
    createdAt: p('now'),
    updatedAt: p('now'),
    expiryDate: null,
  }),
)

/** Creates the default rooms of a new site; does nothing if the site has a room. */
export const seedDefaultRooms = defineCommand({
  name: 'seedDefaultRooms',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction): { seeded: number } {
    if (tx.get(countRooms)?.count) return { seeded: 0 }
    for (const name of DEFAULT_ROOM_NAMES) {
      tx.run(insertRoom, { name, foldedName: foldName(name), capacity: DEFAULT_ROOM_CAPACITY, now: tx.now })
    }
    return { seeded: DEFAULT_ROOM_NAMES.length }
  },
})
