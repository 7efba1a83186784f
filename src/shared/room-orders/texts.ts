/** The texts of 'Oda Siparişlerim' and of a room's term (specification 2, points 2 and 8). */
export const MY_ROOMS_TITLE = 'Oda Siparişlerim'
export const OWN_ROOMS_LABEL = 'Odalarım'
export const CREATE_ROOM_LABEL = 'Oda Oluştur'
export const ORDER_ROOM_TITLE = 'Yeni Oda Siparişi'
export const EXPIRED_LABEL = 'Süresi Doldu'
export const EXTEND_LABEL = 'Süreyi uzat'
export const TERM_LABEL = 'Oda süresi'
export const TERM_EXPLANATION =
  'Süreyi, bitmesine 7 gün kaldığında uzatabilirsin; kalan günlerin yanmaz. Süresi dolan oda 7 gün daha açık kalır.'
export const LAST_CHANCE_TEXT = 'Odanın süresi doldu. Süresini uzatmak, odanı yeniden açmak için son şansın.'

export function daysToExpiryText(days: number): string {
  return days === 0 ? 'Bugün bitiyor' : `Son ${days} gün`
}

export function daysToCloseText(days: number): string {
  return days === 0 ? 'Kapanıyor' : `Kapanmasına ${days} gün`
}

/** Of the wizards, and of their routes. */
export const ORDER_FIELDS_MISSING = 'Lütfen tüm alanları doldurunuz!'
export const NAME_QUESTION = 'Odanın adı ne olsun?'
export const DURATION_QUESTION = 'Odanın süresi ne kadar olsun?'
export const CAPACITY_QUESTION = 'Odanın limiti ne olsun?'
export const LISTING_QUESTION = 'Odan Tüm Odalar da görünsün mü?'
export const LISTED_LABEL = 'Odam listelensin!'
export const UNLISTED_LABEL = 'Odam listelenmesin!'
export const CONFIRM_ORDER_LABEL = 'Siparişi Onayla'
export const ORDER_REFUSED = 'Oda oluşturulamadı!'
export const ORDER_FAILED = 'Oda oluşturulurken bir hata oluştu.'
export const RENEWAL_REFUSED = 'Oda yenilenemedi!'
export const RENEWAL_FAILED = 'Oda yenilenirken bir hata oluştu.'
/** At the field, beside the specification's toast. */
export const ROOM_NAME_MISSING = 'Odana bir ad ver.'
export const ROOM_NAME_TAKEN = 'Bu oda adı alınmış. Lütfen başka bir ad seç.'
export const OPTION_GONE = 'Bu seçenek artık yok. Lütfen yeniden seç.'
export const NO_EXPIRY_TEXT = 'Bu odanın süresi sınırsız.'

export const ROOM_DEACTIVATED_TEXT = 'Bu odanın süresi doldu. Meydan odasına geçtin.'

/** The tabs of a member's rooms. */
export const ownRoomTabs = [
  { tab: 'created', label: OWN_ROOMS_LABEL, empty: 'Henüz bir odanız yok' },
  { tab: 'admin', label: 'Yetkili Odalarım', empty: 'Admin olduğunuz odalarınız bulunmamaktadır' },
  { tab: 'inactive', label: 'Ödenmemiş Odalarım', empty: 'Süresi dolan odalarınız bulunmamaktadır' },
] as const
export type OwnRoomTab = (typeof ownRoomTabs)[number]['tab']
