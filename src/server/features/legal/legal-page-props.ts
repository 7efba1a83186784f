import { TERMS_VERSION, terms } from '../../../shared/accounts/terms.ts'
import type { LegalDocumentName, LegalPageProps } from '../../../shared/legal/documents.ts'
import type { Config } from '../../kernel/config.ts'
import { contactSections } from './contact-text.ts'
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
