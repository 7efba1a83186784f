import type { UserId } from '../../../shared/protocol/ids.ts'
import { defineStreamFamily } from '../../kernel/database/events/streams.ts'

/** The posts of a user, received by the connections that watch them. */
export const postsStream = defineStreamFamily<UserId>('posts')
