import { isolateBidi } from '../text/bidi-isolate.ts'

/** What a root admin may make of somebody. */
export type RoleAction = 'promote' | 'demote'

interface RoleTexts {
  /** The entry of the menu, the title of its question and its button. */
  menuLabel: string
  /** What follows the name in the question. */
  question: string
  doneText(username: string): string
  failedText: string
}

/** The words around a change of somebody's role; the failed promotion is specification 1, point 8. */
export const roleTexts: Readonly<Record<RoleAction, RoleTexts>> = {
  promote: {
    menuLabel: 'Root Admin Yap',
    question: 'root admin olur: siteden yasaklayabilir, odaları temizleyebilir, başkalarını da root admin yapabilir.',
    doneText: (username) => `${isolateBidi(username)} artık root admin.`,
    failedText: 'Kullanıcı root admin yapılamadı.',
  },
  demote: {
    menuLabel: 'Root Adminlik Kaldır',
    question: 'root admin olmaktan çıkar ve üye olarak devam eder. Oturumu açık kalır.',
    doneText: (username) => `${isolateBidi(username)} artık root admin değil.`,
    failedText: 'Root adminlik kaldırılamadı.',
  },
}
