import { foldName } from '../../../shared/text/turkish.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { insertRow, query } from '../../model/schema/query.ts'

/** The default rooms: listed, without owner or expiry. Room 1 is the one that a sign-in opens. */
const DEFAULT_ROOM_NAMES = ['Meydan', 'Sohbet', 'Müzik', 'Oyun', 'Gece Kuşları']
const DEFAULT_ROOM_CAPACITY = 100_000

const countRooms = query()((db) => db.selectFrom('room').select((eb) => eb.fn.countAll<number>().as('count')))
const insertRoom = insertRow('room', ['name', 'foldedName', 'capacity', 'createdAt', 'updatedAt'], {
  greetingMessage: null,
  isList: 1,
  isActive: 1,
  ownerId: null,
  expiryDate: null,
})

/** Creates the default rooms of a new site; does nothing if the site has a room. */
export const seedDefaultRooms = defineCommand({
  name: 'seedDefaultRooms',
  origin: 'primary',
  run(tx: Transaction): { seeded: number } {
    if (tx.get(countRooms)?.count) return { seeded: 0 }
    for (const name of DEFAULT_ROOM_NAMES) {
      tx.run(insertRoom, {
        name,
        foldedName: foldName(name),
        capacity: DEFAULT_ROOM_CAPACITY,
        createdAt: tx.now,
        updatedAt: tx.now,
      })
    }
    return { seeded: DEFAULT_ROOM_NAMES.length }
  },
})
