import { SESSION_ENDED_TEXT } from '../accounts/session-ended-text.ts'
import { SLOW_MODE_TEXT } from '../room-management/slow-mode-text.ts'
import {
  ENTRY_EXISTS_TEXT,
  GUEST_LINK_TEXT,
  TEXT_HELD_TEXT,
  TEXT_REFUSED_TEXT,
  TOO_MANY_ENTRIES_TEXT,
} from '../text-filters/texts.ts'

type RefusalTable = Record<string, { status: number; message: string }>

/** Messages that the browser shows without asking the server; its bundle omits the others. */
export const clientMessages = {
  SessionEnded: SESSION_ENDED_TEXT,
  PasswordRequired: 'Devam etmek için şifreni doğrula.',
  Banned: 'Siteden yasaklandın.',
  TooLarge: 'Gönderilen içerik çok büyük.',
  UsernameTaken: 'Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.',
  UsernameReserved: 'Bu kullanıcı adı kullanılamaz.',
  RoomNotFound: 'Oda bulunamadı!',
  NotInRoom: 'Mesaj göndermek için önce odaya girmelisin.',
  JustJoined: 'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.',
  TooManyInARow: 'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.',
} as const

/**
 * The closed list of refusal codes, for the live protocol and HTTP.
 * `status` is the HTTP status; `message` is the default Turkish message.
 */
export const refusals = {
  InvalidInput: { status: 422, message: 'Gönderilen bilgiler geçerli değil.' },
  UnknownCommand: { status: 404, message: 'Bilinmeyen işlem.' },
  NotFound: { status: 404, message: 'Aradığın şey bulunamadı.' },
  NotSignedIn: { status: 401, message: 'Devam etmek için giriş yapmalısın.' },
  SessionEnded: { status: 401, message: clientMessages.SessionEnded },
  /** Of a root admin without a valid admin token. */
  PasswordRequired: { status: 401, message: clientMessages.PasswordRequired },
  Forbidden: { status: 403, message: 'Bunu yapmaya yetkin yok.' },
  OriginNotAllowed: { status: 403, message: 'Bu istek Meydan sayfasından gelmiyor.' },
  Banned: { status: 403, message: clientMessages.Banned },
  Maintenance: { status: 503, message: 'Meydan şu anda bakımda. Kısa süre sonra geri döneceğiz.' },
  ActorMismatch: { status: 403, message: 'İstekteki kullanıcı oturumunla uyuşmuyor.' },
  BrowserIdMissing: { status: 401, message: 'Tarayıcı kimliği bulunamadı. Lütfen tekrar giriş yap.' },
  ProtocolOutdated: { status: 426, message: 'Meydan güncellendi. Lütfen sayfayı yenile.' },
  ClientIdReused: { status: 409, message: 'Bu işlem kimliği başka bir içerikle kullanılmış.' },
  RateLimited: { status: 429, message: 'Çok fazla istek gönderdin. Lütfen biraz bekle.' },
  RegionCut: {
    status: 503,
    message: 'Bu bölgenin bağlantısı kesildi, şu anda yalnızca okuyabilirsin. Lütfen birazdan tekrar dene.',
  },
  Busy: { status: 503, message: 'Sunucu şu anda çok yoğun. Lütfen tekrar dene.' },
  /** The disk is nearly full: of uploads, and then of the messages of guests. */
  StorageFull: { status: 507, message: 'Sunucuda yer kalmadı. Lütfen daha sonra tekrar dene.' },
  ShuttingDown: { status: 503, message: 'Sunucu yeniden başlatılıyor. Birazdan geri döneceğiz.' },
  MethodNotAllowed: { status: 405, message: 'Bu adres bu tür bir isteği kabul etmiyor.' },
  TooLarge: { status: 413, message: clientMessages.TooLarge },
  UnsupportedMediaType: { status: 415, message: 'Bu içerik türü desteklenmiyor.' },
  /** A part of an upload that does not begin where the stored part ends (shared/media/resumable-uploads.ts). */
  UploadOffsetWrong: { status: 409, message: 'Yükleme başka bir yerde kalmış. Lütfen tekrar dene.' },
  Failed: { status: 500, message: 'Beklenmeyen bir hata oluştu. Lütfen tekrar dene.' },

  LoginFailed: { status: 401, message: 'Giriş başarısız. Lütfen tekrar deneyin.' },
  WrongPassword: { status: 403, message: 'Mevcut şifren yanlış.' },
  UsernameTaken: { status: 409, message: clientMessages.UsernameTaken },
  AlreadyMember: { status: 409, message: 'Zaten üyesin. Başka bir hesap açmak için önce çıkış yap.' },
  UsernameReserved: { status: 409, message: clientMessages.UsernameReserved },

  /** On the site or in the room; the message has the reason and the end. */
  Muted: { status: 403, message: 'Susturuldun.' },
  TooManyWarnings: { status: 409, message: 'Bu kullanıcının onaylamadığı 20 uyarı var.' },

  TooManyBlocks: { status: 409, message: 'En fazla 1.000 kişiyi engelleyebilirsin. Önce birinin engelini kaldır.' },

  /** By the recipient's privacy or a block; the message names which. */
  ContactRefused: { status: 403, message: 'Mesaj izniniz yok' },
  /** The caller is in a call, on this device or another. */
  CallBusy: { status: 409, message: 'Zaten bir aramadasın.' },
  /** The call is over, or it is one of other users; there is no difference. */
  NoSuchCall: { status: 404, message: 'Bu arama artık yok.' },
  MediaNotFound: { status: 404, message: 'Dosya bulunamadı. Lütfen yeniden yükle.' },
  TooManyConversations: {
    status: 429,
    message: 'Kısa sürede çok fazla kişiye yazdın. Lütfen biraz bekle.',
  },
  TooManyFollows: { status: 409, message: 'En fazla 5.000 kişiyi takip edebilirsin. Önce birini takipten çık.' },

  OptionExists: { status: 409, message: 'Bu seçenek zaten var.' },
  TooManyOptions: { status: 409, message: 'En fazla 30 seçenek olabilir. Önce birini sil.' },
  /** Another root admin was first; the message says who and when. */
  RequestDecided: { status: 409, message: 'Bu talep zaten yanıtlanmış.' },
  /** Another root admin was first; the message says who and when. */
  ReportDecided: { status: 409, message: 'Bu bildirim zaten sonuçlandırıldı.' },
  TooManyReports: { status: 409, message: 'Bekleyen çok sayıda bildirimin var. Önce incelenmelerini bekle.' },
  TooManyRequests: { status: 409, message: 'Bekleyen taleplerin var. Önce yanıtlanmalarını bekle.' },

  /** The text waits for review by a root admin. */
  TextHeld: { status: 409, message: TEXT_HELD_TEXT },
  /** A word of the text is not allowed. */
  TextRefused: { status: 403, message: TEXT_REFUSED_TEXT },
  /** The sender may not send links; the message says why. */
  LinkRefused: { status: 403, message: GUEST_LINK_TEXT },
  FilterEntryExists: { status: 409, message: ENTRY_EXISTS_TEXT },
  TooManyFilterEntries: { status: 409, message: TOO_MANY_ENTRIES_TEXT },

  RoomNotFound: { status: 404, message: clientMessages.RoomNotFound },
  /** Somebody banned from the room; the message has the reason and the end. */
  RoomBanned: { status: 403, message: 'Bu odadan yasaklandın.' },
  RoomPasswordRequired: { status: 403, message: 'Bu oda şifreli. Girmek için oda şifresini yaz.' },
  RoomPasswordWrong: { status: 403, message: 'Oda şifresi yanlış.' },
  RoomFull: { status: 409, message: 'Oda dolu. Lütfen daha sonra tekrar dene.' },
  /** By the room's message preference; the message names it. */
  RoomWriteRefused: { status: 403, message: 'Bu odaya yazma iznin yok.' },
  TooManyRoomAdmins: { status: 409, message: 'Bir odanın en fazla 50 admini olabilir. Önce birini çıkar.' },
  /** The room's slow mode; `waitMs` says how long. */
  SlowMode: { status: 429, message: SLOW_MODE_TEXT },
  RoomNameTaken: { status: 409, message: 'Bu oda adı alınmış.' },
  TooManyRooms: { status: 409, message: 'En fazla 50 odan olabilir.' },
  /** More than 7 days before the expiry, or without one. */
  RenewalTooEarly: { status: 409, message: 'Odanın süresini, bitmesine 7 gün kaldığında uzatabilirsin.' },
  NotInRoom: { status: 409, message: clientMessages.NotInRoom },
  JustJoined: { status: 429, message: clientMessages.JustJoined },
  TooManyInARow: { status: 429, message: clientMessages.TooManyInARow },

  InsufficientBalance: { status: 409, message: 'Yetersiz bakiye!' },
  /** The price differs from the one that was shown; `price` is that of now. */
  PriceChanged: { status: 409, message: 'Fiyat değişti.' },
} as const satisfies RefusalTable

export type RefusalCode = keyof typeof refusals

/**
 * A refusal on the wire. `path` is the first wrong field; `waitMs` the milliseconds until a retry may succeed; `price` and
 * `missing` are in lira.
 */
export interface RefusalBody {
  code: RefusalCode
  message: string
  path?: string
  waitMs?: number
  /** Of PriceChanged: what it costs now. */
  price?: number
  /** Of InsufficientBalance: how much more is needed. */
  missing?: number
}

/** An expected failure as a value. Handlers return it and throw only for bugs. */
export class Refusal {
  readonly body: RefusalBody
  constructor(body: RefusalBody) {
    this.body = body
  }
}

/** Builds a refusal in the browser, with the default message unless `more` has one. */
export function refuseLocally(
  code: keyof typeof clientMessages,
  more: Partial<Omit<RefusalBody, 'code'>> = {},
): Refusal {
  return new Refusal({ code, message: clientMessages[code], ...more })
}

/** Builds a refusal, with the default message unless `more` has one. */
export function refuse(code: RefusalCode, more: Partial<Omit<RefusalBody, 'code'>> = {}): Refusal {
  return new Refusal({ code, message: refusals[code].message, ...more })
}
