/** The texts of 'Oda Siparişlerim' and of a room's term (specification 2, points 2 and 8). */
export const MY_ROOMS_TITLE = 'Oda Siparişlerim'
export const OWN_ROOMS_LABEL = 'Odalarım'
export const CREATE_ROOM_LABEL = 'Oda Oluştur'
export const ORDER_ROOM_TITLE = 'Yeni Oda Siparişi'
export const EXPIRED_LABEL = 'Süresi Doldu'
export const EXTEND_LABEL = 'Süreyi uzat'
export const ROOM_DEACTIVATED_TEXT = 'Bu odanın süresi doldu. Meydan odasına geçtiniz.'

/** The tabs of a member's rooms. */
export const ownRoomTabs = [
  { tab: 'created', label: OWN_ROOMS_LABEL, empty: 'Henüz bir odanız yok' },
  { tab: 'admin', label: 'Yetkili Odalarım', empty: 'Admin olduğunuz odalarınız bulunmamaktadır' },
  { tab: 'inactive', label: 'Ödenmemiş Odalarım', empty: 'Süresi dolan odalarınız bulunmamaktadır' },
] as const
export type OwnRoomTab = (typeof ownRoomTabs)[number]['tab']
