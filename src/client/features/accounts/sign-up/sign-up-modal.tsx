import { type ReactNode, useId, useState } from 'react'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { session } from '../../../core/session/session.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast, toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { CheckIcon } from '../../../core/ui/icons.tsx'
import { NameField, PasswordField } from '../sign-in/credential-fields.island.tsx'
import { AgeField } from './age-field.tsx'
import { GenderRadio } from './gender-radio.tsx'
import { signUpNameProps, signUpPasswordProps } from './sign-up-field-props.ts'
import { useSignUp } from './use-sign-up.ts'
// The landing page has these in its own styles.
import '../../../core/ui/forms/field.css'
import './gender-radio.css'
import '../sign-in/credential-fields.css'
import './sign-up-modal.css'

type Terms = typeof import('./terms-dialog.tsx')

/** 'Üye Ol': a guest becomes a member without leaving the room. */
export function SignUpModal({ onClose }: OverlayProps): ReactNode {
  const currentName = session.username()
  const errorId = useId()
  const [isAccepted, setAccepted] = useState(false)
  const [terms, setTerms] = useState<Terms | null>(null)
  const { problem, isBusy, submit } = useSignUp(isAccepted, onClose)
  const openTerms = (): void => {
    showLoadingWhile(import('./terms-dialog.tsx')).then(setTerms, toastLoadFailure)
  }
  const accept = (): void => {
    setTerms(null)
    setAccepted(true)
    void toast('Gizlilik Sözleşmesini onayladınız!', 'success')
  }
  return (
    <>
      <Modal title="Üye Ol" isFullScreen={true} onClose={onClose}>
        <form className="sign-up" noValidate onSubmit={submit}>
          <p className="soft">Adın, odan ve yazdıkların seninle kalır; bir dahaki sefere şifrenle gelirsin.</p>
          <NameField {...signUpNameProps} initial={currentName} currentName={currentName} rejected={null} />
          <PasswordField {...signUpPasswordProps} error={null} />
          <AgeField id="sign-up-age" initial="" error={null} />
          <GenderRadio legend="Cinsiyetin (istersen)" chosen={session.user?.gender ?? null} />
          <TermsButton isAccepted={isAccepted} errorId={errorId} onClick={openTerms} />
          <p id={errorId} className="field-error form-error" role="alert">
            {problem}
          </p>
          <button type="submit" className="button button--large button--accent" aria-disabled={!isAccepted || isBusy}>
            {isBusy && <span className="spinner" />}
            Üye Ol
          </button>
        </form>
      </Modal>
      {terms && <terms.TermsDialog onClose={() => setTerms(null)} onConfirm={accept} />}
    </>
  )
}

interface TermsButtonProps {
  isAccepted: boolean
  errorId: string
  onClick: () => void
}

function TermsButton({ isAccepted, errorId, onClick }: TermsButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="terms-row"
      aria-haspopup="dialog"
      aria-describedby={errorId}
      data-accepted={isAccepted}
      onClick={onClick}
    >
      <span>{isAccepted && <CheckIcon size={16} />}</span>
      <span>
        <strong>Kullanım Sözleşmesi</strong>
        <span>{isAccepted ? 'Onayladın' : 'Okuyup onayla'}</span>
      </span>
    </button>
  )
}
