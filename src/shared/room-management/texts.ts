/** Shown to the user who becomes an admin of a room, or is one no longer. */
export const adminAddedText = (roomName: string): string => `#${roomName} odasının admini oldunuz.`
export const adminRemovedText = (roomName: string): string => `Artık #${roomName} odasının admini değilsiniz.`

/** Why a user cannot become an admin. */
export const GUEST_ADMIN_TEXT = 'Misafirler oda admini olamaz.'
export const OWNER_ADMIN_TEXT = 'Odanın sahibi zaten bütün yetkilere sahip.'

/** Specification 2, point 2. */
export const NO_ADMINS_TEXT = 'Bu odada henüz admin bulunmuyor.'
export const ADMINS_LABEL = 'Adminler'
export const ADMIN_NOT_ADDED = 'Admin eklenemedi. Lütfen tekrar deneyin.'
export const ADMIN_NOT_REMOVED = 'Admin çıkarılamadı.'
