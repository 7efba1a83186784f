export const POPUP_LABEL = 'Duyuru gönder'
export const POPUP_NOT_SENT = 'Duyuru gönderilemedi.'
export const POPUP_SENT = 'Duyurun odadakilere gönderildi.'
export const POPUP_TOO_SOON_TEXT = 'Bir odaya dakikada en fazla bir duyuru gönderilebilir. Lütfen biraz bekle.'
