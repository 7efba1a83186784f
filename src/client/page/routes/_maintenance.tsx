import type { ReactNode } from 'react'
import type { SignInFormError } from '../../../shared/rooms/page-props.ts'
import { LoginForm } from '../../features/accounts/sign-in/login-form.tsx'
import { MessagePage } from '../message-page.tsx'
import '../../features/accounts/sign-in/sign-in-card.css'
import '../../features/moderation/maintenance-page.css'

interface MaintenanceProps {
  /** A sign-in that was refused. */
  form: SignInFormError | null
}

export const title = (): string => 'Meydan bakımda'

/** The maintenance page for all but root admins, who sign in here. */
export function Page({ form }: MaintenanceProps): ReactNode {
  return (
    <MessagePage
      drawing="dark"
      title="Meydan bakımda"
      text="Meydanı senin için yeniliyoruz. Kısa süre sonra geri döneceğiz."
      action={{ href: '/', label: 'Tekrar dene' }}
    >
      <div className="maintenance-sign-in">
        <LoginForm rejected={form} next={null} prompt="Yönetici misin?" />
      </div>
    </MessagePage>
  )
}
