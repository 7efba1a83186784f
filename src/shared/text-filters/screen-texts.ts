import type { Alert } from './alerts-protocol.ts'
import type { FilterAction } from './apply-filter.ts'
import { MAX_ADDED_ENTRIES, MAX_ENTRIES } from './limits.ts'

/** Labels and texts of the sections of 'Moderasyon'. */
export const ALERTS_LABEL = 'Uyarılar'
export const FILTER_LABEL = 'Kelime Filtresi'
export const LINKED_ACCOUNTS_LABEL = 'Bağlı Hesaplar'

export const openAlertsText = (count: number): string => `${count} açık uyarı`
export const heldTextsText = (count: number): string => `${count} metin inceleme bekliyor`

export const alertTexts = {
  open: 'Açık',
  handled: 'Kapatılan',
  noneOpen: 'Açık uyarı yok.',
  noneHandled: 'Kapatılmış uyarı yok.',
  notLoaded: 'Uyarılar yüklenemedi!',
  notChanged: 'Uyarı değiştirilemedi!',
  close: 'Kapat',
  reopen: 'Yeniden aç',
  linkedAccounts: 'Bağlı hesaplar',
} as const

export const alertKindLabels: Readonly<Record<Alert['kind'], string>> = {
  word: 'Filtredeki bir söz',
  sameText: 'Aynı adresten aynı metin',
  manyMessages: 'Aynı adresten olağandışı çok mesaj',
}

export const filterTexts = {
  entries: 'Sözler',
  held: 'Bekleyen',
  links: 'Bağlantılar',
  hits: 'Kayıtlar',
  notLoaded: 'Kelime filtresi yüklenemedi!',
  notSaved: 'Kaydedilemedi!',
  notDeleted: 'Söz silinemedi!',
  noEntries: 'Listede söz yok.',
  noHits: 'Filtre henüz bir metinle eşleşmedi.',
  noHeld: 'İnceleme bekleyen metin yok.',
  addEntry: 'Söz ekle',
  search: 'Sözlerde ara',
  pattern: 'Söz',
  patternMissing: 'En az bir söz yaz.',
  patterns: `Sözler (her satıra bir tane, en çok ${MAX_ADDED_ENTRIES})`,
  match: 'Eşleşme',
  action: 'Ne yapılsın?',
  replacement: 'Yerine yazılacak (boşsa yıldız)',
  exceptions: 'İstisnalar (her satıra bir tane)',
  exceptionsHint: 'Sonuna * koyduğun söz, ekli hâlleriyle de geçer: sıkı*',
  testLabel: 'Bir metni dene',
  testHint: 'Yazdığın burada kalır, kaydedilmez.',
  testNothing: 'Filtre bu metne dokunmaz.',
  testHeld: 'Bu metin inceleme için bekletilir.',
  testResult: 'Yayımlanan hâli:',
  release: 'Gönder',
  discard: 'Sil',
  show: 'Metni göster',
  showHint: 'Özel mesajı okuduğun işlem kaydına geçer.',
  notDecided: 'Metin sonuçlandırılamadı!',
  released: 'Metin gönderildi.',
  discarded: 'Metin silindi.',
  withFile: 'Bir dosya ile',
  minDays: 'Bağlantı için en az üyelik (gün)',
  minDaysHint: '0: herkes bağlantı paylaşabilir. Misafirler 0 gün sayılır.',
  guestsMayLink: 'Misafirler bağlantı paylaşabilir',
  allowedHosts: 'Herkesin paylaşabileceği siteler (her satıra bir tane)',
  linkRuleSaved: 'Bağlantı kuralı kaydedildi.',
} as const

export const entryTotalText = (total: number): string => `${total} / ${MAX_ENTRIES}`

export const matchLabels = { stem: 'Kök ve ekleri', word: 'Yalnız bu söz' } as const
export const actionLabels: Readonly<Record<FilterAction, string>> = {
  holdBack: 'Beklet',
  replace: 'Değiştir',
  alert: 'Uyar',
}
export const hitActionLabels: Readonly<Record<FilterAction, string>> = {
  holdBack: 'Bekletildi',
  replace: 'Değiştirildi',
  alert: 'Uyarı verildi',
}
export const placeLabels = {
  direct: 'Özel mesaj',
  comment: 'Yorum',
  post: 'Gönderi',
  profile: 'Profil',
  roomText: 'Oda yazısı',
} as const

export const linkedTexts = {
  search: 'Kullanıcı adı',
  searchLabel: 'Hesaplarını ara',
  nameMissing: 'Hangi kullanıcı olduğunu yaz.',
  find: 'Ara',
  hint: 'Aynı tarayıcıyı veya adresi son 30 günde kullanan hesaplar gösterilir. Her arama işlem kaydına geçer.',
  notFound: 'Bağlı hesaplar yüklenemedi!',
  none: 'Aynı tarayıcı veya adresten başka hesap yok.',
  more: 'Daha fazlası var; en çok ortak yönü olanlar gösteriliyor.',
  ban: 'Tarayıcı veya adresi yasakla',
  banned: 'Yasaklı',
  bansTitle: 'Tarayıcı ve adres yasakları',
  noBans: 'Tarayıcı veya adres yasağı yok.',
  bansNotLoaded: 'Yasaklar yüklenemedi!',
  covers: 'Kapsam',
  banFailed: 'Yasaklanamadı!',
  lift: 'Kaldır',
  liftFailed: 'Yasak kaldırılamadı!',
  banDone: 'Yasaklandı.',
  liftDone: 'Yasak kaldırıldı.',
  banHint:
    'Hesap da yasaklanır. Bu tarayıcılardan ve son 3 günün adreslerinden yeni misafir ve yeni üye giremez; kayıtlı üyeler etkilenmez.',
} as const

export const coverOptions = [
  { value: 'browser', label: 'Tarayıcı' },
  { value: 'address', label: 'Adres' },
  { value: 'both', label: 'İkisi de' },
] as const

/** What an account shares or has: '2 tarayıcı, 1 adres'. */
export function fingerprintCountText({ browsers, addresses }: { browsers: number; addresses: number }): string {
  const parts = [browsers > 0 && `${browsers} tarayıcı`, addresses > 0 && `${addresses} adres`]
  return parts.filter((part) => part !== false).join(', ') || 'bilinen tarayıcı veya adres yok'
}
