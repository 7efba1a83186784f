/** Forms of 'Seçenekler', for root admins. */

export const NOT_SAVED_TEXT = 'Kaydedilemedi. Lütfen tekrar dene.'
export const CHANGED_ELSEWHERE_TEXT = 'Bu sırada başka bir yönetici değiştirdi.'
/** Specification 2, point 8, "Option load failure". */
export const OPTIONS_NOT_LOADED_TEXT = 'Seçenekler yüklenirken bir hata oluştu.'
