/** The date of the terms below, stored with every consent. A changed text needs a new date. */
export const TERMS_VERSION = '2026-11-27'

/** A section of the terms with its paragraphs. */
interface TermsSection {
  title: string
  points: readonly string[]
}

/** 'Kullanım Sözleşmesi' (specification 2, point 2, "Sign-up modal"). */
export const terms: readonly TermsSection[] = [
  {
    title: 'Meydana hoş geldin',
    points: [
      'Meydan, insanların yazarak, konuşarak ve görüntülü olarak tanıştığı bir sohbet sitesidir. Herkesin rahat edebilmesi için birkaç kuralımız var; üye olarak bunlara uymayı kabul edersin.',
      'Üye olmak için en az 18 yaşında olmalısın. Verdiğin yaş doğru olmalıdır.',
    ],
  },
  {
    title: 'Yasalara ve ahlaka uygun davran',
    points: [
      'Türkiye Cumhuriyeti yasalarına uyarsın. Yasaların suç saydığı hiçbir şeyi burada yazmaz, göstermez, paylaşmaz ve bunlara kimseyi çağırmazsın.',
      'Evrensel ahlak kurallarına uyarsın: kimseyi aldatmaz, korkutmaz, tehdit etmez, rahatsız etmezsin.',
      'Başkasının kişisel bilgilerini, yazışmalarını, sesini ya da görüntüsünü izni olmadan kaydetmez ve paylaşmazsın.',
    ],
  },
  {
    title: 'İnsanlara saygı göster',
    points: [
      'Hakaret etmez, küfretmez, kimseyi aşağılamazsın. Dil, din, köken, cinsiyet, engel ya da yönelim nedeniyle ayrımcılık yapmazsın.',
      'Kendini başkasının ya da Meydan yönetiminin yerine koymazsın.',
    ],
  },
  {
    title: 'Reklam yapma',
    points: [
      'Başka sitelerin, uygulamaların, kanalların ya da hizmetlerin reklamını yapmaz, insanları oralara yönlendirmezsin.',
      'Aynı şeyi tekrar tekrar yazarak sohbeti bozmazsın.',
    ],
  },
  {
    title: 'Pornografik içerik yasaktır',
    points: [
      'Pornografik ya da müstehcen yazı, ses, fotoğraf ve görüntü paylaşmazsın; kameranı ve profil fotoğrafını da buna göre kullanırsın.',
      'Çocukların istismarına ilişkin her içerik derhâl yetkili makamlara bildirilir.',
    ],
  },
  {
    title: 'Yasaklanırsan süreni bekle',
    points: [
      'Kurallara uymayanların mesajları silinebilir; kendileri bir süre ya da süresiz yasaklanabilir.',
      'Yasaklanırsan sürenin dolmasını beklersin. Başka bir adla, hesapla, cihazla ya da bağlantıyla geri dönmeye çalışmazsın.',
    ],
  },
  {
    title: 'Hesabın sana aittir',
    points: [
      'Şifreni kimseyle paylaşmazsın; Meydan yönetimi senden şifreni asla istemez. Hesabınla yapılanlardan sen sorumlusun.',
      'Hesabını satmaz, kiralamaz, başkasına devretmezsin.',
    ],
  },
  {
    title: 'Gizliliğin',
    points: [
      'Kullanıcı adını, yaşını, belirttiysen cinsiyetini, profilini ve yazdıklarını, sana bu siteyi sunabilmek için saklarız (6698 sayılı Kişisel Verilerin Korunması Kanunu, madde 5). Şifreni kimse okuyamaz: yalnızca geri çevrilemeyen bir özeti saklanır.',
      'Oturumlarını tanıyabilmen için tarayıcının adını, bağlandığın bölgeyi ve bağlantı zamanını saklarız. Oturumun, tarayıcının tanınması ve seçtiğin görünüm için gereken çerezlerden başka çerez kullanmayız; bilgilerini satmaz, reklam için kullanmayız.',
      'Neyi ne kadar sakladığımız Gizlilik sayfasında yazar. Yasaların yetkili makamlara verilmesini zorunlu kıldığı bilgiler, yalnızca onların usulüne uygun istemiyle verilir.',
      'Kanunun 11. maddesine göre bilgilerinin neler olduğunu öğrenebilir, düzeltilmesini ya da silinmesini isteyebilirsin. Odalarda yazdıklarını, o odaya girebilen herkes okuyabilir.',
    ],
  },
  {
    title: 'Son sözler',
    points: [
      'Bu metin değişirse yenisini burada yayımlarız. Onayladığın metnin tarihi hesabında saklanır.',
      'Meydan’ı güzel kılan, içindeki insanlardır. Aramıza katıldığın için teşekkür ederiz.',
    ],
  },
]
