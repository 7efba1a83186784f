/** Texts of the screens of reports; those that the server answers are in `texts.ts`. */
export const REPORT_LABEL = 'Bildir'

/** The titles of the form, by what is reported. */
export const REPORT_TITLES = {
  directMessage: 'Mesajı Bildir',
  roomMessage: 'Mesajı Bildir',
  post: 'Gönderiyi Bildir',
  profile: 'Profili Bildir',
  call: 'Aramayı Bildir',
} as const

const MESSAGE_CONSEQUENCE = 'adlı kullanıcının mesajı, çevresindeki birkaç mesajla birlikte yöneticilere gönderilir.'
/** What is sent, after the name of the reported user. */
export const REPORT_CONSEQUENCES = {
  directMessage: MESSAGE_CONSEQUENCE,
  roomMessage: MESSAGE_CONSEQUENCE,
  post: 'adlı kullanıcının gönderisi, son yorumlarıyla birlikte yöneticilere gönderilir.',
  profile: 'adlı kullanıcının profili, şu anki hâliyle yöneticilere gönderilir.',
  call: 'ile aranızdaki arama yöneticilere bildirilir. Konuşulanlar kaydedilmediği için gönderilmez.',
} as const
export const REPORT_SECRECY = 'Karşı tarafa haber verilmez.'

export const REASON_LEGEND = 'Sebep'
export const REASON_MISSING = 'Bir sebep seç.'
export const NOTE_LABEL = 'Not (isteğe bağlı)'
export const NOTE_PLACEHOLDER = 'Yöneticilerin bilmesi gereken bir şey var mı?'

/** The toasts after a report that failed. */
export const REPORT_FAILED_TEXTS = {
  directMessage: 'Mesaj bildirilemedi!',
  roomMessage: 'Mesaj bildirilemedi!',
  post: 'Gönderi bildirilemedi!',
  profile: 'Profil bildirilemedi!',
  call: 'Arama bildirilemedi!',
} as const

/** The section of 'Moderasyon'. */
export const REPORTS_LABEL = 'Şikâyetler'
export const reportTabLabels = { open: 'Açık', decided: 'Karara bağlanan' } as const
export const emptyReportTexts = {
  open: 'Açık şikâyet yok. Meydan sakin.',
  decided: 'Henüz karara bağlanan şikâyet yok.',
} as const
export const REPORTS_NOT_LOADED = 'Şikâyetler alınamadı.'
export const REPORT_NOT_READ = 'İçerik alınamadı.'
export const DECISION_FAILED = 'Karar kaydedilemedi!'

/** The buttons of the queue. */
export const reportTexts = {
  banned: 'Yasaklı',
  gone: 'Silinmiş hesap',
  inspect: 'İncele',
  hide: 'Gizle',
  inspectHint: 'Baktığın, işlem kaydına yazılır.',
  contentGone: 'İçeriğin saklama süresi doldu.',
  decide: 'Karar ver',
  next: 'Sıradaki',
  backToList: 'Listeye dön',
  selectAll: 'Tümünü seç',
  openHeading: 'Açık şikâyetler',
  decidedHeading: 'Kararlar',
  profile: 'Profil',
  goToMessage: 'Odada göster',
  noneOpen: 'Bu kişi hakkında açık şikâyet kalmadı.',
  anyReason: 'Tüm sebepler',
  noneOfReason: 'Bu sebeple şikâyet yok.',
  noneSelected: 'Önce en az bir şikâyet seç.',
  forReporters: 'Bildirenlere yaz (isteğe bağlı)',
  forReportersHint: 'Boş bırakırsan “Bildirimin incelendi.” metni gider.',
  warningText: 'Uyarı metni',
  muteReason: 'Sebep (kişiye gösterilir, isteğe bağlı)',
  duration: 'Süre',
  banReason: 'Sebep',
  cancel: 'Vazgeç',
  back: 'Geri',
} as const

/** What each decision does, below its name. */
export const decisionHints = {
  nothing: 'Şikâyet asılsız ya da önemsiz.',
  warn: 'Kişi, onaylaması gereken bir uyarı görür.',
  remove: 'Bildirilen içerik herkesten kaldırılır.',
  mute: 'Kişi okuyabilir, ama hiçbir yere yazamaz.',
  ban: 'Kişi siteden çıkarılır, yazdıkları silinir.',
  ghostBan: 'Misafir yazmayı sürdürür, kimse görmez. Misafir bunu anlamaz.',
} as const

/** A decision that was made: 'Uyarıldı'. */
export const decisionDoneLabels = {
  nothing: 'İşlem yapılmadı',
  warn: 'Uyarıldı',
  remove: 'İçerik kaldırıldı',
  mute: 'Susturuldu',
  ban: 'Yasaklandı',
  ghostBan: 'Ghost Ban',
} as const

export function openReportsText(count: number): string {
  return `${count} açık şikâyet`
}

/** The users that a queue lacks until it is drawn again. */
export function waitingText(count: number): string {
  return `${count} yeni kişi · Göster`
}
