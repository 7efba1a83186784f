/** Titles (specification 2, point 2). */
export const WITHDRAWAL_TITLE = 'Bizden Ödeme Alın'
export const WITHDRAWALS_TITLE = 'Ödemeler'

/** The specification's texts (2, points 5 and 8). */
export const AMOUNT_MISSING_TEXT = 'Lütfen bir miktar seçiniz!'
export const WITHDRAWAL_REQUESTED_TEXT = 'Ödeme talebiniz oluşturuldu ve onay bekliyor.'
export const WITHDRAWAL_FAILED_TEXT = 'Ödeme talebi oluşturulurken bir hata oluştu.'
export const WITHDRAWAL_OPTIONS_NOT_LOADED = 'Ödeme seçenekleri alınırken bir hata oluştu.'
export const WITHDRAWALS_NOT_LOADED = 'Ödeme talepleri alınırken bir hata oluştu.'
export const WITHDRAWAL_APPROVE_FAILED = 'An error occurred while approving the withdrawal request.'
export const WITHDRAWAL_REJECT_FAILED = 'An error occurred while rejecting the withdrawal request.'

/** At the fields, beside the specification's toasts. */
export const FIRST_NAME_MISSING_TEXT = 'Adını yaz.'
export const LAST_NAME_MISSING_TEXT = 'Soyadını yaz.'
export const IBAN_MISSING_TEXT = 'IBAN numaranı yaz.'
export const IBAN_FORM_TEXT = 'TR ile başlar, ardından 24 rakam gelir.'
/** An IBAN of the right form whose check digits do not agree. */
export const WRONG_IBAN_TEXT = 'Bu IBAN hatalı: kontrol basamakları uyuşmuyor. Lütfen rakamları kontrol et.'
export const WITHDRAWAL_OPTION_GONE_TEXT = 'Bu ödeme seçeneği artık yok. Lütfen başka bir miktar seç.'
export const NOT_WITHDRAWABLE_TEXT = 'Çekilebilir bakiyen bu ödeme için yeterli değil.'
