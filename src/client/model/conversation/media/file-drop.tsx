import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { focusField } from '../../media/focus-field.ts'
import { PaperclipIcon } from '../../media/icons.tsx'
import './file-composer.lazy.css'

interface FileDropProps {
  /** Files are dropped and pasted here. It is positioned: the hint covers it. */
  area: RefObject<HTMLElement | null>
  onFiles: (files: readonly File[]) => void
  /** What the hint says. */
  children?: ReactNode
}

/** Takes files that are dropped or pasted into an area, and shows where they can be dropped. */
export function FileDrop({ area, onFiles, children = 'Dosyaları buraya bırak' }: FileDropProps): ReactNode {
  const isOver = useDroppedFiles(area, onFiles)
  return (
    isOver && (
      <div className="file-drop">
        <PaperclipIcon size={28} />
        <span>{children}</span>
      </div>
    )
  )
}

/** Passes on the files that are dropped or pasted. Returns whether files are over the area. */
function useDroppedFiles(area: FileDropProps['area'], onFiles: FileDropProps['onFiles']): boolean {
  const [isOver, setOver] = useState(false)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  })
  useEffect(() => {
    const element = area.current
    if (!element) return
    const listening = new AbortController()
    const on = <E extends keyof HTMLElementEventMap>(type: E, run: (event: HTMLElementEventMap[E]) => void): void =>
      element.addEventListener(type, run, { signal: listening.signal })
    const add = (event: Event, files: FileList): void => {
      event.preventDefault()
      take.current([...files])
      focusField(element.querySelector('form'))
    }
    on('dragover', (event) => {
      if (!hasFiles(event.dataTransfer)) return
      event.preventDefault()
      setOver(true)
    })
    on('dragleave', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) setOver(false)
    })
    on('drop', (event) => {
      setOver(false)
      if (hasFiles(event.dataTransfer)) add(event, event.dataTransfer.files)
    })
    on('paste', (event) => {
      // Office programs copy text and a picture of it: the text is meant.
      const { clipboardData: copied } = event
      if (hasFiles(copied) && !copied.types.includes('text/plain')) add(event, copied.files)
    })
    keepPage(listening.signal)
    return () => listening.abort()
  }, [area])
  return isOver
}

function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') === true
}

/** A file that misses the area must not replace the page. */
function keepPage(signal: AbortSignal): void {
  const keep = (event: DragEvent): void => {
    if (!event.defaultPrevented && hasFiles(event.dataTransfer)) event.preventDefault()
  }
  addEventListener('dragover', keep, { signal })
  addEventListener('drop', keep, { signal })
}
