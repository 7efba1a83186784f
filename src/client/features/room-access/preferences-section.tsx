import { type ReactNode, useState } from 'react'
import type { RoomPreference } from '../../../shared/rooms/rules.ts'
import { callApi } from '../../core/http/call-api.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { preferenceOptions } from './preference-labels.ts'

const PREFERENCE_NOT_SAVED = 'Oda tercihi kaydedilemedi!'

/** Who may write to the room and who may send media to it. Each choice is saved at once. */
export function PreferencesSection({ roomId, details: { room }, reload }: RoomManagementSectionProps): ReactNode {
  const [message, chooseMessage] = useSavedChoice(room.messagePreference, async (messagePreference) => {
    const body = { roomId, messagePreference }
    return callApi<'setMessagePreference'>('/rooms/set-message-preference', { as: 'user', body })
  })
  const [media, chooseMedia] = useSavedChoice(room.mediaPreference, async (mediaPreference) => {
    const body = { roomId, mediaPreference }
    return callApi<'setMediaPreference'>('/rooms/set-media-preference', { as: 'user', body })
  })
  return (
    <div className="section">
      <RadioList
        legend="Kimler yazabilir?"
        options={preferenceOptions}
        value={message}
        onChange={(value) => void chooseMessage(value).then(reload)}
      />
      <RadioList
        legend="Kimler resim, video ve ses gönderebilir?"
        options={preferenceOptions}
        value={media}
        onChange={(value) => void chooseMedia(value).then(reload)}
      />
      <p className="soft">Oda sahibi ve oda adminleri her zaman yazabilir.</p>
    </div>
  )
}

/** A choice that is shown at once, and taken back when it cannot be saved. */
function useSavedChoice(
  saved: RoomPreference,
  save: (choice: RoomPreference) => Promise<object | string>,
): [RoomPreference, (choice: RoomPreference) => Promise<void>] {
  const [pending, setPending] = useState<RoomPreference | null>(null)
  const choose = async (choice: RoomPreference): Promise<void> => {
    setPending(choice)
    if (toastIfFailed(await save(choice), PREFERENCE_NOT_SAVED)) setPending(null)
  }
  return [pending ?? saved, choose]
}
