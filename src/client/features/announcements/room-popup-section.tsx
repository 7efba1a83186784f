import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { POPUP_NOT_SENT, POPUP_SENT } from '../../../shared/announcements/texts.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { MAX_POPUP_LENGTH } from '../../../shared/site-status/limits.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { session } from '../../core/session/session.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { PictureButton } from '../../model/media/picture-button.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { PopupCard } from './popup-card.tsx'
import '../../core/ui/forms/field.css'
import './popups.css'
import './room-popup-section.css'
import { toPopupHtml, wrapSelection } from './wrap-selection.ts'

const FORMATS = [
  { label: 'Kalın', sign: 'K', tags: ['<b>', '</b>'] },
  { label: 'Eğik', sign: 'E', tags: ['<i>', '</i>'] },
  { label: 'Altı çizili', sign: 'A', tags: ['<u>', '</u>'] },
] as const

/** Writes a popup to the users of the room, with a preview. */
export function RoomPopupSection({ roomId }: RoomManagementSectionProps): ReactNode {
  const draft = usePopupDraft(roomId)
  const errorId = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void draft.send()
  }
  return (
    <form className="section" noValidate onSubmit={submit}>
      <p className="soft">
        Duyurun şu anda odada olanların ekranında açılır. Dakikada en fazla bir duyuru gönderilebilir.
      </p>
      <PopupText text={draft.text} onType={draft.setText} />
      <div className="buttons wrap">
        <PictureButton className="button" errorId={errorId} onChoose={draft.choose}>
          {draft.imageUrl ? 'Resmi değiştir' : 'Resim ekle'}
        </PictureButton>
        {draft.imageUrl && (
          <button type="button" className="button" onClick={draft.removeImage}>
            Resmi kaldır
          </button>
        )}
      </div>
      <p id={errorId} className="field-error" role="alert">
        {draft.error}
      </p>
      {!draft.isEmpty && <PopupPreview text={draft.text} imageUrl={draft.imageUrl} />}
      <button type="submit" className="button button--accent" aria-disabled={draft.isBusy || draft.isEmpty}>
        {draft.isBusy && <span className="spinner" />}
        Gönder
      </button>
    </form>
  )
}

/** The text and the picture of a popup until it is sent. */
function usePopupDraft(roomId: RoomId) {
  const [text, setText] = useState('')
  const [image, setImage] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const imageUrl = useMemo(() => image && URL.createObjectURL(image), [image])
  useEffect(() => () => void (imageUrl && URL.revokeObjectURL(imageUrl)), [imageUrl])
  const isEmpty = text.trim() === '' && image === null
  const choose = (picture: File | string): void => {
    setError(typeof picture === 'string' ? picture : null)
    if (typeof picture !== 'string') setImage(picture)
  }
  const send = async (): Promise<void> => {
    if (isBusy || isEmpty) return
    setBusy(true)
    const body = new FormData()
    body.set('roomId', String(roomId))
    body.set('message', toPopupHtml(text))
    if (image) body.set('image', image)
    const answer = await callApi<'sendRoomPopup'>('/rooms/send-popup', { as: 'user', body })
    setBusy(false)
    if (toastIfFailed(answer, POPUP_NOT_SENT)) return
    setText('')
    setImage(null)
    void toast(POPUP_SENT, 'success')
  }
  return { text, setText, imageUrl, choose, removeImage: () => setImage(null), error, isBusy, isEmpty, send }
}

/** The field, with buttons that format the selected words. */
function PopupText({ text, onType }: { text: string; onType: (text: string) => void }): ReactNode {
  const fieldId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const format = (tags: readonly [string, string]): void => {
    const { current } = field
    if (!current) return
    const { selectionStart, selectionEnd } = current
    const wrapped = wrapSelection({ text, start: selectionStart, end: selectionEnd }, tags)
    onType(wrapped.text)
    requestAnimationFrame(() => {
      current.focus()
      current.setSelectionRange(wrapped.start, wrapped.end)
    })
  }
  return (
    <div className="field">
      <div className="room-popup-tools">
        <label className="field-label" htmlFor={fieldId}>
          Duyuru
        </label>
        <FormatButtons format={format} />
      </div>
      <textarea
        dir="auto"
        ref={field}
        id={fieldId}
        className="field-input field-area"
        rows={4}
        maxLength={MAX_POPUP_LENGTH}
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  )
}

function FormatButtons({ format }: { format: (tags: readonly [string, string]) => void }): ReactNode {
  return FORMATS.map(({ label, sign, tags }) => (
    <button
      key={label}
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      data-format={tags[0]}
      onClick={() => format(tags)}
    >
      {sign}
    </button>
  ))
}

/** The popup as the users of the room will see it. */
function PopupPreview({ text, imageUrl }: { text: string; imageUrl: string | null }): ReactNode {
  const { user } = session
  if (!user) return null
  const sender = {
    senderId: user.id,
    senderUsername: user.username,
    senderAvatarUrl: user.avatarUrl,
    senderGender: user.gender,
  }
  return (
    <div className="stack room-popup-preview">
      <p className="field-label">Önizleme</p>
      <PopupCard popup={{ ...sender, message: toPopupHtml(text), imagePath: imageUrl }} />
    </div>
  )
}
