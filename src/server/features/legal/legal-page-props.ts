import { TERMS_VERSION, terms } from '../../../shared/accounts/terms.ts'
import type { LegalDocumentName, LegalPageProps, LegalSection } from '../../../shared/legal/documents.ts'
import type { Config } from '../../kernel/config.ts'
import { privacySections } from './privacy-text.ts'
import { rulesSections } from './rules-text.ts'

/** When the texts of this folder were last changed. */
const CHANGED_ON = '2026-11-27'

/** The props of each document. */
export function legalPageProps(
  config: Pick<Config, 'owner' | 'contact' | 'roomMessagesKeptMs'>,
): Record<LegalDocumentName, LegalPageProps> {
  const { contact } = config
  return {
    terms: {
      name: 'terms',
      summary: 'Üye olurken kabul ettiğin metin.',
      sections: terms,
      contact: null,
      changedOn: TERMS_VERSION,
    },
    privacy: {
      name: 'privacy',
      summary: 'Meydan hakkında neyi bilir, ne kadar saklar, sen ne isteyebilirsin.',
      sections: privacySections(config),
      contact,
      changedOn: CHANGED_ON,
    },
    rules: {
      name: 'rules',
      summary: 'Meydanda herkesin rahat edebilmesi için.',
      sections: rulesSections,
      contact: null,
      changedOn: CHANGED_ON,
    },
    contact: {
      name: 'contact',
      summary: 'Bize nasıl ulaşırsın.',
      sections: contactSections(config),
      contact,
      changedOn: CHANGED_ON,
    },
  }
}

/** How people reach the owner of the site. */
function contactSections({ owner, contact }: Pick<Config, 'owner' | 'contact'>): readonly LegalSection[] {
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
