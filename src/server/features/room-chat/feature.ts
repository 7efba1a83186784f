import { refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/room-chat/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { Feature, FeatureContext } from '../../kernel/feature.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { HOUR_MS, MINUTE_MS, runInSteps } from '../../kernel/operations/jobs.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { roomMediaCommands } from '../../model/conversations/media-commands.ts'
import { isAboutRemovedMessage } from '../../model/conversations/room-messages.ts'
import { storeMediaUpload } from '../../model/media/media-upload.ts'
import { findContentRefusal, findMediaRefusal } from '../../model/rooms/access.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { getMessages } from './history-handlers.ts'
import { createLiveHandlers } from './live-handlers.ts'
import { trimLargeRooms } from './trim-large-rooms.ts'
import { trimMessages } from './trim-messages.ts'
import { TypingIndicators } from './typing-indicators.ts'

/** Room messages: sending, history, typing indicators. */
export function createFeature({ appContext, peerBus }: FeatureContext): Feature {
  const { publisher, presence, execute, config } = appContext
  const { roomMessagesKeptMs: keptMs, roomMessagesMaxBytes } = config
  const typing = new TypingIndicators(publisher, peerBus, presence)
  return {
    handlers: {
      ...createLiveHandlers(typing),
      // Required by the specification, but without effect: sendMessage notifies the mentioned users.
      mentionNotification: () => ({ success: true }),
      getMessages,
    },
    live: { isObsolete: isAboutRemovedMessage },
    registerRoutes: (app) => roomChatRoutes(app, appContext),
    jobs: [
      {
        intervalMs: MINUTE_MS,
        isPrimaryOnly: true,
        run: () => runInSteps(execute, roomMediaCommands.deleteUnusedMedia),
      },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => runInSteps(execute, trimMessages, { keptMs }) },
      { intervalMs: HOUR_MS, isPrimaryOnly: true, run: () => trimLargeRooms(appContext, roomMessagesMaxBytes) },
    ],
    close: () => typing.close(),
  }
}

/** `/api/media`: files for messages of rooms. */
export function roomChatRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, execute, clock } = appContext
  registerRoute(app, appContext, routes.uploadRoomMedia, (call) => {
    const { actor, input } = call
    const closure = findContentRefusal(appContext, reader, actor, input.roomId)
    if (closure) return closure
    const room = reader.get(roomById, { id: input.roomId })
    const user = reader.get(userById, { id: actor.userId })
    const message = user && room ? findMediaRefusal(reader, toUserSummary(user, clock()), room) : null
    if (message !== null) return refuse('RoomWriteRefused', { message })
    return storeMediaUpload(appContext, call, { add: (media) => execute(roomMediaCommands.addMedia, actor, media) })
  })
}
