/** The section of 'Moderasyon'. */
export const ACTIONS_LABEL = 'Hareketler'
/** The entry of a guest's menu (specification 1, point 2). */
export const ACTION_LOG_LABEL = 'Aksiyonlar'
export const ACTIONS_NOT_LOADED = 'Hareketler yüklenirken hata oluştu.'
export const NO_ACTIONS_TEXT = 'Hareket yok.'
export const NO_MATCHING_ACTIONS_TEXT = 'Bu filtreyle hareket bulunamadı.'
export const NEW_ACTIONS_TEXT = 'Yeni hareketler var'
/** In the place of a name. */
export const SERVER_NAME = 'Sunucu'
export const ERASED_NAME = 'Silinmiş hesap'
