import { apart } from '../text/apart.ts'

/** What a root admin may make of somebody. */
export type RoleChange = 'promote' | 'demote'

interface RoleWords {
  /** The entry of the menu, the title of its question and its button. */
  entry: string
  /** What follows the name in the question. */
  question: string
  done(username: string): string
  failed: string
}

/** The words around a change of somebody's role; the failed promotion is specification 1, point 8. */
export const roleWords: Readonly<Record<RoleChange, RoleWords>> = {
  promote: {
    entry: 'Root Admin Yap',
    question: 'root admin olur: siteden yasaklayabilir, odaları temizleyebilir, başkalarını da root admin yapabilir.',
    done: (username) => `${apart(username)} artık root admin.`,
    failed: 'Kullanıcı root admin yapılamadı.',
  },
  demote: {
    entry: 'Root Adminlik Kaldır',
    question: 'root admin olmaktan çıkar ve üye olarak devam eder. Oturumu açık kalır.',
    done: (username) => `${apart(username)} artık root admin değil.`,
    failed: 'Root adminlik kaldırılamadı.',
  },
}
