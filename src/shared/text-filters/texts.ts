/** To a sender whose message or comment waits for review. */
export const TEXT_HELD_TEXT = 'Mesajın incelemeye alındı. Uygun bulunursa gönderilecek.'
/** To a sender whose text cannot wait, because of where it stands or because too many wait. */
export const TEXT_REFUSED_TEXT = 'Bu metin, burada kullanılamayan bir söz içeriyor. Lütfen değiştir.'
export const NAME_REFUSED_TEXT = 'Bu kullanıcı adı, burada kullanılamayan bir söz içeriyor. Başka bir ad seç.'
export const GUEST_LINK_TEXT = 'Misafirler bağlantı paylaşamaz.'
export const linkTooEarlyText = (minDays: number): string =>
  `Bağlantı paylaşabilmek için en az ${minDays} gündür üye olman gerekiyor.`

/** To root admins. */
export const ENTRY_EXISTS_TEXT = 'Bu söz listede var.'
export const TOO_MANY_ENTRIES_TEXT = 'Listede en fazla 2.000 söz olabilir. Önce birini sil.'
export const PATTERN_TOO_SHORT_TEXT = 'Söz en az 2 harf içermeli.'
export const PATTERN_TOO_LONG_TEXT = 'Söz en fazla 40 harf içerebilir.'
export const ENTRY_GONE_TEXT = 'Bu söz listede yok.'
export const HELD_TEXT_GONE_TEXT = 'Bu metin artık beklemiyor.'
export const HELD_TEXT_UNSENDABLE_TEXT = 'Bu metin artık gönderilemez: yazan veya yeri değişti.'
export const ALERT_GONE_TEXT = 'Bu uyarı artık yok.'
export const INVALID_HOST_TEXT = 'Site adresleri ornek.com biçiminde olmalı.'
export const NO_FINGERPRINTS_TEXT = 'Bu kullanıcının bilinen bir tarayıcısı veya adresi yok.'
export const FINGERPRINT_BAN_GONE_TEXT = 'Bu yasak artık geçerli değil.'
