import {
  type DragEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { OwnAccount } from '../../../../shared/profiles/protocol.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { DiscardPrompt } from '../../../core/ui/dialogs/discard-prompt.tsx'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { hideRefusals, showRefusal } from '../../../core/ui/forms/form-errors.ts'
import { loadOwnAccount, ownAccount } from '../../../model/profiles/own-account.ts'
import { LoadNote } from '../../../model/site-status/stats.tsx'
import { maxZoomOf } from './crop-picture.ts'
import { ProfileFields } from './profile-fields.tsx'
import {
  formValuesOf,
  hasProfileChanges,
  type ProfileFormError,
  type ProfileFormValues,
  saveProfile,
  validateProfileForm,
} from './save-profile.ts'
import { type AvatarChange, useAvatar } from './use-avatar.ts'
import '../../../core/ui/forms/field.css'
import '../../../core/ui/fold.css'
import './profile-editor.css'
import { PICTURE_TYPES } from '../../../../shared/media/rules.ts'
import { Avatar, tintClass } from '../../../core/ui/person/avatar.tsx'
import '../../../core/ui/person/large-avatar.css'

interface AvatarFieldProps {
  account: OwnAccount
  avatar: AvatarChange
  error: string | null
  /** Gets the focus after cropping. */
  input: RefObject<HTMLInputElement | null>
  choose: (file: File) => void
  /** Removes the avatar, or undoes the change. */
  remove: () => void
}

/** 'Bilgilerimi Güncelle': the own profile, avatar and password. */
export function ProfileEditor({ onClose }: OverlayProps): ReactNode {
  const account = useSignalValue(ownAccount, null)
  useEffect(() => void loadOwnAccount(), [])
  if (account !== null && account !== 'failed') return <ProfileForm account={account} onClose={onClose} />
  return (
    <Modal title={TITLE} isFullScreen onClose={onClose}>
      <LoadNote state={account ?? 'loading'} reload={loadOwnAccount} />
    </Modal>
  )
}

const TITLE = 'Bilgilerimi Güncelle'

function ProfileForm({ account, onClose }: OverlayProps & { account: OwnAccount }): ReactNode {
  const avatar = useAvatar()
  const { form, filled, problem, isBusy, isLeaving, setLeaving, submit, leave, change } = useProfileForm(
    account,
    avatar,
    onClose,
  )
  const { cropping } = avatar
  const fileInput = useFocusAfterCropping(cropping !== null)
  return (
    <Modal title={TITLE} isFullScreen onClose={cropping ? avatar.cancel : leave}>
      {cropping && (
        <cropping.AvatarCropper
          url={cropping.url}
          maxZoom={maxZoomOf(cropping.picture)}
          onCrop={avatar.crop}
          onCancel={avatar.cancel}
        />
      )}
      <form
        ref={form}
        className="profile-editor"
        hidden={cropping !== null}
        noValidate
        onSubmit={submit}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => dropPicture(event, avatar)}
      >
        <AvatarField
          account={account}
          avatar={avatar.face}
          error={avatar.error}
          input={fileInput}
          choose={avatar.choose}
          remove={avatar.remove}
        />
        <ProfileFields username={account.username} values={filled} onChange={change} />
        {problem !== null && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
        {isLeaving ? (
          <DiscardPrompt leaveLabel="Kaydetmeden çık" stay={() => setLeaving(false)} leave={onClose}>
            Kaydetmediğin değişiklikler var.
          </DiscardPrompt>
        ) : (
          <FormActions isBusy={isBusy} onCancel={leave} />
        )}
      </form>
    </Modal>
  )
}

type AvatarChoice = ReturnType<typeof useAvatar>

/** The state of the form: values, first error and saving. */
function useProfileForm(account: OwnAccount, avatar: AvatarChoice, onClose: () => void) {
  const [filled, setFilled] = useState(() => formValuesOf(account))
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  // The account when the form was opened: fields that stay as they were do not undo a change made elsewhere meanwhile.
  const [before] = useState(account)
  const form = useRef<HTMLFormElement>(null)
  const hasChanged = hasProfileChanges(before, filled, avatar.face)

  const show = (found: ProfileFormError): void => {
    if (found.path === 'avatar') avatar.setError(found.message)
    else if (!found.path || !form.current || !showRefusal(form.current, found.path, found.message))
      setProblem(found.message)
  }
  const save = async (): Promise<void> => {
    if (isBusy) return
    if (!hasChanged) return onClose()
    if (form.current) hideRefusals(form.current)
    const found = validateProfileForm(filled)
    if (found) return show(found)
    setBusy(true)
    setProblem(null)
    const refused = await saveProfile(before, filled, avatar.face)
    setBusy(false)
    if (refused) show(refused)
    else onClose()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void save()
  }
  /** Asks once before changes are discarded. */
  const leave = (): void => (hasChanged && !isLeaving && !isBusy ? setLeaving(true) : onClose())
  const change = (changed: Partial<ProfileFormValues>): void => {
    setFilled({ ...filled, ...changed })
    setProblem(null)
    setLeaving(false)
  }
  return { form, filled, problem, isBusy, isLeaving, setLeaving, submit, leave, change }
}

/** Gives the focus to the file input when the cropper closes. */
function useFocusAfterCropping(isCropping: boolean): RefObject<HTMLInputElement | null> {
  const fileInput = useRef<HTMLInputElement>(null)
  const wasCropping = useRef(false)
  useEffect(() => {
    if (wasCropping.current && !isCropping) fileInput.current?.focus()
    wasCropping.current = isCropping
  }, [isCropping])
  return fileInput
}

function dropPicture(event: DragEvent, avatar: AvatarChoice): void {
  event.preventDefault()
  const [file] = event.dataTransfer.files
  if (file) void avatar.choose(file)
}

function FormActions({ isBusy, onCancel }: { isBusy: boolean; onCancel: () => void }): ReactNode {
  return (
    <div className="buttons">
      <button type="button" className="button" onClick={onCancel}>
        Vazgeç
      </button>
      <button type="submit" className="button button--accent" aria-disabled={isBusy}>
        {isBusy && <span className="spinner" />}
        {isBusy ? 'Kaydediliyor...' : 'Kaydet'}
      </button>
    </div>
  )
}

/** The preview of the own avatar with buttons to choose and remove it. */
function AvatarField({ account, avatar, error, input, choose, remove }: AvatarFieldProps): ReactNode {
  const errorId = useId()
  return (
    <div className="row gap-4">
      <AvatarPreview account={account} face={avatar} />
      <div className="stack grow">
        <div className="row wrap">
          <label className="button px-4">
            <input
              ref={input}
              className="visually-hidden"
              type="file"
              accept={PICTURE_TYPES.join(',')}
              aria-describedby={errorId}
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) choose(file)
                target.value = '' // so that the same file can be chosen again
              }}
            />
            Fotoğraf seç
          </label>
          {(avatar !== 'unchanged' || account.avatarUrl !== null) && (
            <button type="button" className="button px-4" onClick={remove}>
              {avatar === 'unchanged' ? 'Kaldır' : 'Geri al'}
            </button>
          )}
        </div>
        <p id={errorId} className={error ? 'field-error' : 'field-hint'} role={error ? 'alert' : undefined}>
          {error ?? (
            <>
              <span>Seç ya da buraya sürükle. </span>
              JPEG, PNG, WebP, GIF veya AVIF; en fazla 20 MB.
            </>
          )}
        </p>
      </div>
    </div>
  )
}

function AvatarPreview({ account, face }: { account: OwnAccount; face: AvatarChange }): ReactNode {
  if (typeof face === 'object') {
    return (
      <span className={`avatar avatar--96 ${tintClass(account.id)}`}>
        <img src={face.url} alt="Yeni fotoğrafın" width={96} height={96} />
      </span>
    )
  }
  const avatarUrl = face === 'removed' ? null : (account.largeAvatarUrl ?? account.avatarUrl)
  return <Avatar user={{ ...account, avatarUrl }} size={96} />
}
