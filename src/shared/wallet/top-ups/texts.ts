/** Titles (specification 2, point 2). */
export const TOP_UP_TITLE = 'Bakiye Yükleme Talebi'
export const TOP_UPS_TITLE = 'Yüklemeler'

/** At the field, beside the specification's toast. */
export const HOLDER_MISSING_TEXT = 'Hesap sahibinin adını ve soyadını yaz.'

/** The specification's texts (2, points 5 and 8). */
export const SENDER_MISSING_TEXT = 'Lütfen ad ve soyad giriniz!'
export const TOP_UP_AMOUNT_MISSING_TEXT = 'Lütfen bir yükleme miktarı seçiniz!'
export const TOP_UP_REQUESTED_TEXT = 'Yükleme talebiniz oluşturuldu ve onay bekliyor.'
export const TOP_UP_FAILED_TEXT = 'Yükleme talebi oluşturulurken bir hata oluştu.'
export const TOP_UP_REGISTRATION_TEXT = 'Hesabınıza yıldız yüklemek için kayıt olmanız gerekiyor.'
export const TOP_UP_APPROVE_FAILED = 'Yükleme talebi onaylanamadı!'
export const TOP_UP_REJECT_FAILED = 'Yükleme reddedilirken hata oluştu!'

export const TOP_UP_OPTION_GONE_TEXT = 'Bu yükleme seçeneği artık yok. Lütfen başka bir miktar seç.'
export const TOP_UPS_NOT_LOADED = 'Yükleme talepleri alınırken bir hata oluştu.'
