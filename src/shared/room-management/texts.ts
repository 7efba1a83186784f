/** Shown to the user who becomes an admin of a room, or is one no longer. */
export const adminAddedText = (roomName: string): string => `#${roomName} odasının admini oldun.`
export const adminRemovedText = (roomName: string): string => `Artık #${roomName} odasının admini değilsin.`

/** Why a user cannot become an admin. */
export const GUEST_ADMIN_TEXT = 'Misafirler oda admini olamaz.'
export const OWNER_ADMIN_TEXT = 'Odanın sahibi zaten bütün yetkilere sahip.'

/** Specification 2, point 2. */
export const NO_ADMINS_TEXT = 'Bu odada henüz admin bulunmuyor.'
export const ADMINS_LABEL = 'Adminler'
export const ADMIN_NAME_MISSING = 'Eklenecek üyenin adını yaz.'
export const ADMIN_NOT_ADDED = 'Admin eklenemedi. Lütfen tekrar dene.'
export const ADMIN_NOT_REMOVED = 'Admin çıkarılamadı.'

export const GREETING_LABEL = 'Karşılama mesajı'
export const GREETING_NOT_SAVED = 'Karşılama mesajı kaydedilemedi!'

export const SLOW_MODE_LABEL = 'Yavaş mod'
export const SLOW_MODE_NOT_SAVED = 'Yavaş mod kaydedilemedi!'
export const SLOW_MODE_OFF_TEXT = 'Bu odada yavaş mod kapatıldı.'
export const slowModeOnText = (seconds: number): string =>
  `Bu odada yavaş mod açıldı: ${waitText(seconds)} bir mesaj yazabilirsin.`

function waitText(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} dakikada` : `${seconds} saniyede`
}
export const GREETING_SAVED = 'Karşılama mesajı kaydedildi.'

export const BACKGROUND_LABEL = 'Arka plan'
export const BACKGROUND_MISSING_TEXT = 'Bir resim seç.'
export const BACKGROUND_NOT_SAVED = 'Arka plan kaydedilemedi!'
export const BACKGROUND_SAVED = 'Arka plan kaydedildi.'
export const BACKGROUND_REMOVED = 'Arka plan kaldırıldı.'

export const VISITORS_LABEL = 'Odaya uğrayanlar'
export const VISITORS_NOT_LOADED = 'Odaya uğrayanlar alınamadı.'
