import { type ReactNode, useState } from 'react'
import { SLOW_MODE_LABEL } from '../../../shared/room-management/texts.ts'
import { RadioList } from '../../core/ui/forms/radio-list.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { saveSlowMode } from './room-settings.ts'
import { slowModeOptions } from './slow-mode-labels.ts'

/** How long a user waits between two messages. A choice is saved at once. */
export function SlowModeSection({ roomId, details, reload }: RoomManagementSectionProps): ReactNode {
  const saved = details.room.slowModeSeconds
  const [pending, setPending] = useState<number | null>(null)
  const choose = async (value: string): Promise<void> => {
    setPending(Number(value))
    if (await saveSlowMode(roomId, Number(value))) reload()
    else setPending(null)
  }
  return (
    <div className="section">
      <p className="soft">
        Yavaş modda herkes iki mesajı arasında seçilen süre kadar bekler. Odanın sahibi ve adminler beklemez.
      </p>
      <RadioList
        legend={SLOW_MODE_LABEL}
        options={slowModeOptions(saved)}
        value={String(pending ?? saved)}
        onChange={(value) => void choose(value)}
      />
    </div>
  )
}
