/** Why a camera or a microphone cannot be used. */
export type MediaFailure = 'denied' | 'missing' | 'busy' | 'insecure'

/** What the user can do about it, in Turkish. */
export const microphoneFailureTexts = {
  denied: 'Mikrofon izni verilmedi. Adres çubuğundaki simgeden mikrofona izin ver ve tekrar dene.',
  missing: 'Mikrofon bulunamadı. Bir mikrofon bağla ve tekrar dene.',
  busy: 'Mikrofon kullanılamıyor. Onu kullanan diğer uygulamaları kapat ve tekrar dene.',
  insecure: 'Aramalar yalnızca güvenli bağlantıda çalışır. Sayfayı https:// ile aç ve tekrar dene.',
} as const satisfies Record<MediaFailure, string>

/** The call goes on without the camera. */
export const cameraFailureTexts = {
  denied: 'Kamera izni verilmedi. Görüntünü göstermek için adres çubuğundaki simgeden kameraya izin ver.',
  missing: 'Kamera bulunamadı. Görüntünü göstermek için bir kamera bağla.',
  busy: 'Kamera kullanılamıyor. Onu kullanan diğer uygulamaları kapat ve kamerayı tekrar aç.',
  insecure: microphoneFailureTexts.insecure,
} as const satisfies Record<MediaFailure, string>

/** A device that was removed during the call. */
export const MICROPHONE_LOST_TEXT = 'Mikrofonun bağlantısı kesildi. Bir mikrofon bağla ve mikrofonu tekrar aç.'
export const MICROPHONE_REPLACED_TEXT = 'Mikrofonun bağlantısı kesildi, başka bir mikrofon kullanılıyor.'
export const CAMERA_LOST_TEXT = 'Kameranın bağlantısı kesildi. Bir kamera bağla ve kamerayı tekrar aç.'
export const CAMERA_REPLACED_TEXT = 'Kameranın bağlantısı kesildi, başka bir kamera kullanılıyor.'

/** A call that was not made, because of the microphone or the connection. */
export const CALL_NOT_MADE_TEXT = 'Arama yapılamadı.'
export const NO_CONNECTION_TEXT = 'Arama yapılamadı. Bağlantını denetleyip tekrar dene.'
export const SCREEN_FAILED_TEXT = 'Ekran paylaşılamadı.'
export const VIDEO_DECLINED_TEXT = 'Görüntülü aramaya geçme isteğin kabul edilmedi.'
export const UNSUPPORTED_BROWSER_TEXT = 'Tarayıcın aramaları desteklemiyor. Güncel bir tarayıcıyla tekrar dene.'

/** A device to which the browser gives no name. */
export function unnamedDeviceText(kind: MediaDeviceKind, index: number): string {
  const names = { audioinput: 'Mikrofon', videoinput: 'Kamera', audiooutput: 'Hoparlör' }
  return `${names[kind]} ${index}`
}
