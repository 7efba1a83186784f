/** Titles (specification 2, point 2). */
export const STAR_REQUEST_TITLE = 'Bakiye Yükleme Talebi'
export const STAR_REQUESTS_TITLE = 'Yüklemeler'

/** At the field, beside the specification's toast. */
export const HOLDER_MISSING_TEXT = 'Hesap sahibinin adını ve soyadını yaz.'

/** The specification's texts (2, points 5 and 8). */
export const SENDER_MISSING_TEXT = 'Lütfen ad ve soyad giriniz!'
export const STAR_AMOUNT_MISSING_TEXT = 'Lütfen bir yükleme miktarı seçiniz!'
export const STAR_REQUESTED_TEXT = 'Yükleme talebiniz oluşturuldu ve onay bekliyor.'
export const STAR_REQUEST_FAILED_TEXT = 'Yükleme talebi oluşturulurken bir hata oluştu.'
export const STAR_REGISTRATION_TEXT = 'Hesabınıza yıldız yüklemek için kayıt olmanız gerekiyor.'
export const STAR_APPROVE_FAILED = 'Yükleme talebi onaylanamadı!'
export const STAR_REJECT_FAILED = 'Yükleme reddedilirken hata oluştu!'

export const STAR_OPTION_GONE_TEXT = 'Bu yükleme seçeneği artık yok. Lütfen başka bir miktar seç.'
export const STAR_REQUESTS_NOT_LOADED = 'Yükleme talepleri alınırken bir hata oluştu.'
