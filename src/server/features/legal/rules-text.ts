import type { LegalSection } from '../../../shared/legal/documents.ts'

/** The rules of the square, in short; the terms have them in full. */
export const rulesSections: readonly LegalSection[] = [
  {
    title: 'Nasıl davranılır',
    points: [
      'Herkese, yüz yüzeymişsin gibi davran. Hakaret, küfür, tehdit, ayrımcılık ve ısrarla rahatsız etmek yasaktır.',
      'Başkasının adına, yönetimin adına konuşma. Kimsenin kişisel bilgisini, yazışmasını, sesini ve görüntüsünü izni olmadan paylaşma.',
      'Pornografik içerik paylaşma; kameranı ve fotoğrafını da buna göre kullan. Çocukların istismarına ilişkin her şey yetkili makamlara bildirilir.',
      'Reklam yapma, aynı şeyi tekrar tekrar yazma, insanları başka sitelere yönlendirme.',
    ],
  },
  {
    title: 'Uymayana ne olur',
    points: [
      'Önce çoğunlukla uyarılırsın. Mesajların ve gönderilerin kaldırılabilir, bir süre susturulabilir, odadan ya da siteden süreli veya süresiz yasaklanabilirsin. Sebep ve süre sana gösterilir.',
      'Yasak bitene kadar başka bir adla ya da hesapla dönme: yasak o ada da uygulanır.',
      'Odaların sahibi ve adminleri kendi odalarında mesaj silebilir ve odadan yasaklayabilir; bütün sitede yalnızca root adminler karar verir. Yapılan her işlem kayda geçer.',
    ],
  },
  {
    title: 'Sen ne yapabilirsin',
    points: [
      'Birini engelle: yazdıklarını görmezsin, sana yazamaz, seni arayamaz.',
      'Bir mesajı, gönderiyi, profili ya da aramayı şikâyet et: menüsündeki Bildir düğmesi onu yöneticilere gönderir. Bildirdiğini karşı taraf öğrenmez; sonuç sana bildirilir.',
      'Tercihlerim bölümünden kimlerin sana yazabileceğini, dosya gönderebileceğini ve seni arayabileceğini seç.',
    ],
  },
]
