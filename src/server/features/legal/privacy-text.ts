import { GUEST_NAME_HOLD_MS, GUEST_RETENTION_MS, SESSION_LIFETIME_MS } from '../../../shared/accounts/rules.ts'
import type { LegalSection } from '../../../shared/legal/documents.ts'
import { NOTIFICATION_RETENTION_MS } from '../../../shared/notifications/limits.ts'
import { OPEN_REPORT_RETENTION_MS, REPORT_CONTENT_RETENTION_MS } from '../../../shared/reports/limits.ts'
import { VISIT_RETENTION_MS } from '../../../shared/room-management/limits.ts'
import { REMOVED_MESSAGE_KEPT_MS } from '../../../shared/sanctions/limits.ts'
import {
  ALERT_RETENTION_MS,
  FINGERPRINT_RETENTION_MS,
  HELD_TEXT_RETENTION_MS,
} from '../../../shared/text-filters/limits.ts'
import type { Config } from '../../kernel/config.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const daysOf = (ms: number): string => `${ms / (24 * HOUR_MS)} gün`

/** What Meydan stores about people, for how long, and why. The times are those that the code uses. */
export function privacySections(config: Pick<Config, 'owner' | 'roomMessagesKeptMs'>): readonly LegalSection[] {
  return [
    {
      title: 'Bilgilerinden kim sorumlu',
      points: [
        `Bu siteyi işleten ve bilgilerinden sorumlu olan: ${config.owner}. Ona nasıl ulaşacağın İletişim sayfasında yazar.`,
        'Bilgilerini sana bu sohbeti sunabilmek, siteyi ve insanları kötüye kullanımdan korumak ve yasaların istediğini yerine getirmek için işleriz (6698 sayılı Kişisel Verilerin Korunması Kanunu, madde 5). Satmayız, reklam için kullanmayız.',
      ],
    },
    ...storedSections(config),
    ...browserSections(),
    {
      title: 'Kimler görebilir',
      points: [
        'Adını, yüzünü, profilini ve odalarda yazdıklarını o odaya girebilen herkes görür. Özel mesajlarını yalnızca yazıştığın kişi görür; şikâyet edilen mesajları yöneticiler de okur ve kimin okuduğu kaydedilir.',
        'Aramalar uçtan uca şifrelidir: sesin ve görüntün sunucudan şifreli geçer, kaydedilmez ve orada açılamaz. Kimin kimi aradığı en çok 24 saat sunucunun belleğinde kalır; cevapsız aramalar bildirimlerinde görünür.',
        'Yasaların yetkili makamlara verilmesini zorunlu kıldığı bilgiler, yalnızca onların usulüne uygun istemiyle ve elimizde olduğu kadar verilir.',
      ],
    },
    {
      title: 'Hakların',
      points: [
        'Kanunun 11. maddesine göre bilgilerinin işlenip işlenmediğini, neler olduğunu, ne için ve kimlerle kullanıldığını öğrenebilir; yanlışsa düzeltilmesini, gerekmiyorsa silinmesini isteyebilir, zarara uğradıysan giderilmesini talep edebilirsin.',
        'Profilini, fotoğrafını, gönderilerini ve oturumlarını kendin değiştirip silebilirsin. Gerisi için İletişim sayfasındaki yoldan yaz; kanuna göre en geç otuz gün içinde yanıt alırsın. Yanıt seni tatmin etmezse Kişisel Verileri Koruma Kurulu’na başvurabilirsin.',
      ],
    },
  ]
}

function storedSections({ roomMessagesKeptMs }: Pick<Config, 'roomMessagesKeptMs'>): readonly LegalSection[] {
  return [
    {
      title: 'Neyi, ne kadar saklarız',
      points: [
        `Misafirsen: seçtiğin adı ve belirttiysen cinsiyetini. Son uğrayışından ${GUEST_NAME_HOLD_MS / MINUTE_MS} dakika sonra adını başkası alabilir; ${GUEST_RETENTION_MS / HOUR_MS} saat uğramazsan adın bırakılır ve oturumun silinir.`,
        'Üyeysen: kullanıcı adını, yaşını, belirttiysen cinsiyetini, profiline yazdıklarını, fotoğrafını ve hangi tarihli sözleşmeyi ne zaman onayladığını; hesabın durdukça. Şifreni kimse okuyamaz: yalnızca geri çevrilemeyen bir özeti saklanır.',
        `Odalarda yazdıkların ve gönderdiğin dosyalar: ${daysOf(roomMessagesKeptMs)}; çok dolan odalarda eskiler daha önce silinir. Yöneticilerin kaldırdığı mesajlar ${daysOf(REMOVED_MESSAGE_KEPT_MS)} sonra büsbütün silinir.`,
        'Özel mesajların ve dosyaları: sen ya da karşındaki konuşmayı tuttukça. Gönderilerin: sen silene kadar.',
        `Bildirimlerin ${daysOf(NOTIFICATION_RETENTION_MS)}, hangi odalara girdiğin (yalnızca odayı yönetenlere görünür) ${daysOf(VISIT_RETENTION_MS)} saklanır.`,
        'Para hareketlerin, ödeme için verdiğin IBAN ve ad, yöneticilerin yaptığı işlemler: hesap ve denetim kaydı olduğu için silinmez; yalnızca eklenir.',
      ],
    },
    {
      title: 'Siteyi korumak için sakladıklarımız',
      points: [
        'IP adresini ve tarayıcını düz metin olarak veritabanında ve sunucu günlüğünde tutmayız. Yasaklananların başka adla dönmesini anlamak için ikisinin anahtarlı özetini saklarız: karşılaştırılabilir, ama geri okunamaz.',
        `Bu özetler ${daysOf(FINGERPRINT_RETENTION_MS)} sonra, bir yasağınkiler yasak bitince silinir. Adresin kendisi, istekleri sınırlamak için kısa süre yalnızca bellekte durur.`,
        `Şikâyet edilen içeriğin bir kopyası, karardan ${daysOf(REPORT_CONTENT_RETENTION_MS)} sonra silinir; karara bağlanmayan şikâyet ${daysOf(OPEN_REPORT_RETENTION_MS)} sonra kapanır. Filtreye takılan metinler ${daysOf(HELD_TEXT_RETENTION_MS)}, uyarılar ${daysOf(ALERT_RETENTION_MS)} saklanır.`,
        `Oturumlarını tanıyabilmen için tarayıcının adını, bağlandığın sunucu bölgesini ve bağlantı zamanını saklarız. Kullanılmayan oturum ${daysOf(SESSION_LIFETIME_MS)} sonra silinir.`,
      ],
    },
  ]
}

function browserSections(): readonly LegalSection[] {
  return [
    {
      title: 'Çerezler ve tarayıcında duranlar',
      points: [
        'Yalnızca sitenin çalışması için gerekenler vardır; ölçüm, reklam ya da başka sitelerin çerezi yoktur.',
        'meydan_session: oturumun, 30 gün. meydan_browser: bu tarayıcının rastgele numarası, yasakların uygulanabilmesi için, 1 yıl. meydan_device: şifreni doğru yazdığın cihazı tanır, 400 gün. theme: koyu ya da açık görünüm, 1 yıl. meydan_admin: yöneticilerin girişinde, 60 saniye.',
        'Tarayıcının kendi deposunda oturum anahtarın, adın, tarayıcı numaran, son odan, pencerelerinin yeri ve gönderilmeyi bekleyen mesajların durur. Tarayıcının ayarlarından hepsini silebilirsin; o zaman yeniden giriş yaparsın.',
        'Sayfalar başka sitelerden dosya yüklemez: yazı tipi, resimler ve emojiler bu sunucudan gelir.',
      ],
    },
  ]
}
