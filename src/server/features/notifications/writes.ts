import { deleteOldNotifications } from './delete-old-notifications.ts'
import { markNotificationRead, markTabRead } from './mark-read.ts'

/** The write commands of this feature. */
export const writes = [markNotificationRead, markTabRead, deleteOldNotifications]
