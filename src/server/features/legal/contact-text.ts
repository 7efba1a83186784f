import type { LegalSection } from '../../../shared/legal/documents.ts'
import type { Config } from '../../kernel/config.ts'

/** How people reach the owner of the site. */
export function contactSections({ owner, contact }: Pick<Config, 'owner' | 'contact'>): readonly LegalSection[] {
  return [
    {
      title: 'Sitenin sahibi',
      points: [
        `Bu siteyi ${owner} işletir.`,
        contact === null
          ? 'Sitenin sahibi henüz bir e-posta adresi yayımlamadı. O zamana kadar yöneticilere sitenin içinden ulaşabilirsin: adının altında altı yıldız olan bir root admine özel mesaj yaz.'
          : 'Soruların, kişisel bilgilerinle ilgili isteklerin ve hukuki bildirimler için aşağıdaki adrese yaz. Hesabınla ilgiliyse kullanıcı adını da ekle; şifreni asla yazma.',
      ],
    },
    {
      title: 'Bir içeriği ya da kişiyi bildirmek',
      points: [
        'En hızlısı sitenin içinden bildirmektir: mesajın, gönderinin ya da profilin menüsündeki Bildir düğmesi onu doğrudan yöneticilere gönderir.',
        'Hayati bir tehlike varsa 112’yi ara.',
      ],
    },
  ]
}
