import type { UserId } from '../../../shared/protocol/ids.ts'
import { CONTACT_CHANNELS } from '../../../shared/relations/contact-rules.ts'
import type { AccountPrivacy, Privacy, PrivacyChanges } from '../../../shared/settings/rules.ts'
import { Hook } from '../../kernel/database/commands/define-hooks.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { userById } from '../accounts/queries.ts'
import { query } from '../schema/query.ts'
import { privacyOf } from './queries.ts'

/** A user made a private account public. */
export const onAccountMadePublic = new Hook<{ userId: UserId }>()
/** A user made a public account private. */
export const onAccountMadePrivate = new Hook<{ userId: UserId }>()

/** A null parameter keeps the column. */
const updatePrivacyColumns = query<{
  id: UserId
  messagePrivacy: Privacy | null
  messageImagePrivacy: Privacy | null
  messageAudioPrivacy: Privacy | null
  voiceCallPrivacy: Privacy | null
  videoCallPrivacy: Privacy | null
  accountPrivacy: AccountPrivacy | null
}>()((db, p) =>
  db
    .updateTable('user')
    .set(({ fn, val }) => ({
      messagePrivacy: fn.coalesce(val(p('messagePrivacy')), 'messagePrivacy'),
      messageImagePrivacy: fn.coalesce(val(p('messageImagePrivacy')), 'messageImagePrivacy'),
      messageAudioPrivacy: fn.coalesce(val(p('messageAudioPrivacy')), 'messageAudioPrivacy'),
      voiceCallPrivacy: fn.coalesce(val(p('voiceCallPrivacy')), 'voiceCallPrivacy'),
      videoCallPrivacy: fn.coalesce(val(p('videoCallPrivacy')), 'videoCallPrivacy'),
      accountPrivacy: fn.coalesce(val(p('accountPrivacy')), 'accountPrivacy'),
    }))
    .where('id', '=', p('id')),
)

/** Changes a user's privacy settings; what `changes` leaves out stays. */
export function setPrivacy(tx: Transaction, userId: UserId, changes: PrivacyChanges): void {
  const before = tx.get(userById, { id: userId })
  tx.run(updatePrivacyColumns, {
    id: userId,
    messagePrivacy: changes.messagePrivacy ?? null,
    messageImagePrivacy: changes.messageImagePrivacy ?? null,
    messageAudioPrivacy: changes.messageAudioPrivacy ?? null,
    voiceCallPrivacy: changes.voiceCallPrivacy ?? null,
    videoCallPrivacy: changes.videoCallPrivacy ?? null,
    accountPrivacy: changes.accountPrivacy ?? null,
  })
  if (!before) return
  const old = privacyOf(before)
  const isContactChanged = CONTACT_CHANNELS.some((channel) => {
    const name = `${channel}Privacy` as const
    return changes[name] !== undefined && changes[name] !== old[name]
  })
  if (isContactChanged)
    tx.emit({ stream: userStream(userId), name: 'privacyChanged', payload: { userId }, actorId: userId })
  if (changes.accountPrivacy === undefined || changes.accountPrivacy === old.accountPrivacy) return
  tx.emit({ stream: userStream(userId), name: 'accountPrivacyChanged', payload: { userId }, actorId: userId })
  tx.runHooks(changes.accountPrivacy === 'public' ? onAccountMadePublic : onAccountMadePrivate, { userId })
}
