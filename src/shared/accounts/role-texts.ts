import { isolateBidi } from '../text/bidi-isolate.ts'

/** The role changes that a root admin may make. */
export type RoleAction = 'promote' | 'demote'

interface RoleTexts {
  /** The menu entry, and the title and button of its confirmation. */
  menuLabel: string
  /** Follows the name in the confirmation. */
  question: string
  doneText(username: string): string
  failedText: string
}

/** The texts of a role change; the failed promotion is from specification 1, point 8. */
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
