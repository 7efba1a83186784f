/** The texts of the call window and of the buttons that call somebody; those of the specification are in `texts.ts`. */

/** The accessible name of the window. */
export const callTypeNames = { voice: 'Sesli arama', video: 'Görüntülü arama' } as const
/** The buttons that call somebody. */
export const callButtonLabels = { voice: 'Sesli ara', video: 'Görüntülü ara' } as const

export const callTexts = {
  connecting: 'Bağlanıyor...',
  connected: 'Arama başladı.',
  reconnecting: 'Bağlantı koptu, yeniden bağlanıyor...',
  accept: 'Kabul et',
  decline: 'Reddet',
  hangUp: 'Aramayı bitir',
  camera: 'Kamera',
  microphone: 'Mikrofon',
  speaker: 'Hoparlör',
  switchToVideo: 'Görüntülüye geç',
  videoRequestSent: 'Görüntülü aramaya geçmek için yanıt bekleniyor...',
  shareScreen: 'Ekranı paylaş',
  flipCamera: 'Kamerayı çevir',
  settings: 'Arama ayarları',
  pictureInPicture: 'Ayrı pencerede göster',
  pictureInPictureFailed: 'Görüntü ayrı pencerede açılamadı.',
  callAgain: 'Tekrar ara',
  callBack: 'Geri ara',
  close: 'Kapat',
  minimise: 'Aramayı küçült',
  restore: 'Aramaya dön',
  enlarge: 'Aramayı büyüt',
  shrink: 'Aramayı daralt',
  move: 'Aramayı taşı: ok tuşları',
  shortcutHint: 'Arama penceresine gitmek için F8 tuşuna bas.',
  staff: 'Meydan ekibi',
  duration: 'Arama süresi',
  ownPicture: 'Kendi görüntün',
  ownScreen: 'Ekranını paylaşıyorsun.',
  otherCameraOff: 'Kamerası kapalı',
  otherMicrophoneOff: 'Mikrofonu kapalı',
  ownMicrophoneOff: 'Mikrofonun kapalı',
  securityCode: 'Güvenlik kodu',
  securityExplanation:
    'Bu kod karşındakinde de aynıysa konuşma uçtan uca şifrelidir; Meydan dâhil hiç kimse dinleyemez. Kodu ona okuyarak karşılaştırabilirsin.',
  securityPending: 'Kod, bağlantı kurulunca görünür.',
  microphoneLevel: 'Mikrofon düzeyi',
  devicesUnavailable: 'Aygıtların listesi alınamadı.',
} as const

export const qualityTexts = {
  good: 'Bağlantı iyi',
  fair: 'Bağlantı orta',
  poor: 'Bağlantı zayıf',
} as const

/** Asks the callee of a voice call whether it becomes a video call. */
export function videoRequestText(username: string): string {
  return `${username} görüntülü aramaya geçmek istiyor.`
}

export function otherScreenText(username: string): string {
  return `${username} ekranını paylaşıyor.`
}

/** What the tab's title begins with while a call comes in. */
export function incomingTitle(username: string): string {
  return `${username} arıyor · `
}
