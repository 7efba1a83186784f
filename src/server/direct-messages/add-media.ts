import { defineWrite } from '../database/define-write.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import type { AddMedia } from '../media/transactions.ts'
import { directMedia } from './queries.ts'

/** Adds the row of an upload for a direct message. */
export const addMedia = defineWrite({
  name: 'addDirectMedia',
  origin: 'anyRegion',
  // The row is looked up in `add`, because the message of the upload has the same clientId.
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run: (tx: Transaction, actor: Actor | null, input: AddMedia) => directMedia.add(tx, actor, input),
})
