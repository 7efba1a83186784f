/** The types of the specification, and those of this site, which its tabs do not show. */
export const notificationTypes = [
  'dm',
  'follow',
  'mention',
  'dmCall',
  'withdrawalRequest',
  'starRequest',
  'follower',
  'followAccepted',
  'like',
  'comment',
  'commentMention',
  'gift',
  'reportDecided',
  'diskSpace',
] as const
export type NotificationType = (typeof notificationTypes)[number]
/** A type that has rows: `dm` is derived from the unread direct messages. */
export type StoredNotificationType = Exclude<NotificationType, 'dm'>

/** The types that the site itself sends; `content` is their text. */
const siteNotificationTypes = ['reportDecided', 'diskSpace'] as const
export type SiteNotificationType = (typeof siteNotificationTypes)[number]

export function isSiteNotification(type: NotificationType): type is SiteNotificationType {
  return siteNotificationTypes.some((own) => own === type)
}

export const notificationTabs = ['dmCall', 'follow', 'mention', 'withdrawalRequest', 'starRequest', 'other'] as const
export type NotificationTab = (typeof notificationTabs)[number]
/** Tabs that a user empties or marks as read as a whole. */
export const clearableTabs = ['dmCall', 'mention', 'other'] as const
/** Tabs of root admins (specification 2, point 2). */
export const rootAdminTabs: readonly NotificationTab[] = ['withdrawalRequest', 'starRequest']

const typesInOther: readonly NotificationType[] = [
  'follower',
  'followAccepted',
  'like',
  'comment',
  'commentMention',
  'gift',
  ...siteNotificationTypes,
]

/** The tab that shows a type. */
export function tabOf(type: StoredNotificationType): NotificationTab {
  return isTab(type) ? type : 'other'
}

function isTab(type: StoredNotificationType): type is StoredNotificationType & NotificationTab {
  return !typesInOther.includes(type)
}

/** The tabs that a user of this role has. */
export function tabsOf(role: 'guest' | 'member' | 'rootadmin'): NotificationTab[] {
  return notificationTabs.filter((tab) => role === 'rootadmin' || !rootAdminTabs.includes(tab))
}
