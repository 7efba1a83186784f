import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OwnAccount } from '../../shared/profiles/protocol.ts'
import type { OverlayProps } from '../shell/overlays/overlays.ts'
import { LoadNote } from '../site-status/stats.tsx'
import { Modal } from '../ui/dialogs/modal.tsx'
import { useSignalValue } from '../use-signal-value.ts'
import { AvatarField } from './avatar-field.tsx'
import { maxZoomOf } from './crop-picture.ts'
import { loadOwnAccount, ownAccount } from './own-account.ts'
import { ProfileFields } from './profile-fields.tsx'
import {
  formValuesOf,
  hasProfileChanges,
  type ProfileFormError,
  type ProfileFormValues,
  saveProfile,
  validateProfileForm,
} from './save-profile.ts'
import { useAvatar } from './use-avatar.ts'
import '../ui/field.css'
import '../ui/fold.css'
import './profile-editor.css'

/** 'Bilgilerimi Güncelle': what one says of oneself, one's face and one's password. */
export function ProfileEditor({ onClose }: OverlayProps): ReactNode {
  const account = useSignalValue(ownAccount, null)
  useEffect(() => void loadOwnAccount(), [])
  if (account !== null && account !== 'failed') return <ProfileForm account={account} onClose={onClose} />
  return (
    <Modal title={TITLE} isFullScreen onClose={onClose}>
      <LoadNote state={account ?? 'loading'} again={loadOwnAccount} />
    </Modal>
  )
}

const TITLE = 'Bilgilerimi Güncelle'

function ProfileForm({ account, onClose }: OverlayProps & { account: OwnAccount }): ReactNode {
  const [filled, setFilled] = useState(() => formValuesOf(account))
  const [trouble, setTrouble] = useState<ProfileFormError | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  // What was there when it was opened: whoever changes the same elsewhere meanwhile is not undone by what stays as it was.
  const [before] = useState(account)
  const face = useAvatar()
  const form = useRef<HTMLFormElement>(null)
  const hasChanged = hasProfileChanges(before, filled, face.face)

  const show = (found: ProfileFormError): void => {
    flushSync(() => setTrouble(found)) // what is to have the focus may not be in sight yet
    if (found.path === 'avatar') face.setError(found.message)
    form.current?.querySelector<HTMLElement>(`[name="${found.path}"]`)?.focus()
  }
  const submit = async (): Promise<void> => {
    if (isBusy) return
    if (!hasChanged) return onClose()
    const found = validateProfileForm(filled)
    if (found) return show(found)
    setBusy(true)
    setTrouble(null)
    const refused = await saveProfile(before, filled, face.face)
    setBusy(false)
    if (refused) show(refused)
    else onClose()
  }
  /** What was typed is not thrown away unasked; whoever insists is let go. */
  const leave = (): void => (hasChanged && !isLeaving && !isBusy ? setLeaving(true) : onClose())
  const change = (changed: Partial<ProfileFormValues>): void => {
    setFilled({ ...filled, ...changed })
    setTrouble(null)
    setLeaving(false)
  }

  const { cropping } = face
  const fileInput = useRef<HTMLInputElement>(null)
  const wasCropping = useRef(false)
  useEffect(() => {
    if (wasCropping.current && !cropping) fileInput.current?.focus()
    wasCropping.current = cropping !== null
  }, [cropping])
  return (
    <Modal title={TITLE} isFullScreen onClose={cropping ? face.cancel : leave}>
      {cropping && (
        <cropping.AvatarCropper
          url={cropping.url}
          maxZoom={maxZoomOf(cropping.picture)}
          onCrop={face.crop}
          onCancel={face.cancel}
        />
      )}
      <form
        ref={form}
        className="profile-editor"
        hidden={cropping !== null}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const [file] = event.dataTransfer.files
          if (file) void face.choose(file)
        }}
      >
        <AvatarField
          account={account}
          avatar={face.face}
          error={face.error}
          input={fileInput}
          choose={face.choose}
          remove={face.remove}
        />
        <ProfileFields username={account.username} values={filled} error={trouble} onChange={change} />
        {trouble?.path === null && (
          <p className="field-error" role="alert">
            {trouble.message}
          </p>
        )}
        {isLeaving ? (
          <UnsavedChangesPrompt stay={() => setLeaving(false)} leave={onClose} />
        ) : (
          <div className="form-deeds">
            <button type="button" className="button" onClick={leave}>
              Vazgeç
            </button>
            <button type="submit" className="button button--accent" aria-disabled={isBusy}>
              {isBusy && <span className="spinner" />}
              {isBusy ? 'Kaydediliyor...' : 'Kaydet'}
            </button>
          </div>
        )}
      </form>
    </Modal>
  )
}

function UnsavedChangesPrompt({ stay, leave }: { stay: () => void; leave: () => void }): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.scrollIntoView({ block: 'nearest' })
    button.current?.focus()
  }, [])
  return (
    <div className="profile-leaving" role="alert">
      <p>Kaydetmediğin değişiklikler var.</p>
      <div className="form-deeds">
        <button type="button" className="button button--danger" onClick={leave}>
          Kaydetmeden çık
        </button>
        <button ref={button} type="button" className="button button--accent" onClick={stay}>
          Düzenlemeye dön
        </button>
      </div>
    </div>
  )
}
