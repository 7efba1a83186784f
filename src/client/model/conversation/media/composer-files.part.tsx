import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Conversation } from '../conversation.ts'
import { AttachButton } from './attach-button.tsx'
import type { ConversationFiles } from './conversation-files.ts'
import { FileDraftsRow } from './file-drafts-row.tsx'
import { FileDrop } from './file-drop.tsx'
import { RecorderPlace, VoiceButton } from './voice-button.tsx'

interface ComposerFilesProps {
  conversation: Conversation
  files: ConversationFiles
}

/** The buttons of a composer that add files. */
export function FileTools(props: ComposerFilesProps): ReactNode {
  return (
    <>
      <AttachButton {...props} />
      <VoiceButton {...props} />
    </>
  )
}

/** Files and the recorder above a composer. Files are dropped and pasted anywhere in its conversation. */
export function ComposerFiles({ files }: ComposerFilesProps): ReactNode {
  const mark = useRef<HTMLSpanElement>(null)
  const area = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    area.current = mark.current?.closest<HTMLElement>('.direct-body, main') ?? null
    setPlace(area.current)
  }, [])
  return (
    <>
      <span ref={mark} hidden />
      <FileDraftsRow drafts={files.drafts} />
      <RecorderPlace files={files} />
      {place && createPortal(<FileDrop area={area} onFiles={(added) => files.drafts.add(added)} />, place)}
    </>
  )
}
