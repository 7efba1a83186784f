import type { Handler } from '../../kernel/live/handler.ts'
import { markNotificationRead, markTabRead } from './mark-read.ts'

export const notificationRead: Handler<'notificationRead'> = (appContext, { identity }, { notificationId, remove }) =>
  appContext.execute(markNotificationRead, identity?.viewer ?? null, { notificationId, isRemoved: remove })

export const notificationTabRead: Handler<'notificationTabRead'> = (appContext, { identity }, { tab, upTo, remove }) =>
  appContext.execute(markTabRead, identity?.viewer ?? null, { tab, upTo, isRemoved: remove })
