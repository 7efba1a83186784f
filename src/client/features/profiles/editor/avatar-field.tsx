import { type ReactNode, type RefObject, useId } from 'react'
import { PICTURE_TYPES } from '../../../../shared/media/rules.ts'
import type { OwnAccount } from '../../../../shared/profiles/protocol.ts'
import { Avatar, tintClass } from '../../../core/ui/person/avatar.tsx'
import '../../../core/ui/person/large-avatar.css'
import type { AvatarChange } from './use-avatar.ts'

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

/** The preview of the own avatar with buttons to choose and remove it. */
export function AvatarField({ account, avatar, error, input, choose, remove }: AvatarFieldProps): ReactNode {
  const errorId = useId()
  return (
    <div className="row gap-4">
      <AvatarPreview account={account} face={avatar} />
      <div className="stack grow">
        <div className="row wrap avatar-actions">
          <label className="button">
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
            <button type="button" className="button" onClick={remove}>
              {avatar === 'unchanged' ? 'Kaldır' : 'Geri al'}
            </button>
          )}
        </div>
        <p id={errorId} className={error ? 'field-error' : 'field-hint'} role={error ? 'alert' : undefined}>
          {error ?? (
            <>
              <span className="avatar-drop-hint">Seç ya da buraya sürükle. </span>
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
