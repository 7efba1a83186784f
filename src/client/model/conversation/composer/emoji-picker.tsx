import data from 'virtual:emoji-data'
import texts from '@emoji-mart/data/i18n/tr.json?url'
import { Picker, type PickerOptions, SearchIndex } from 'emoji-mart'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { foldEmojiWord } from '../../../../shared/room-chat/emoji-words.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import './emoji-picker.css'

/** The picker keeps recent emoji and the skin tone in local storage by itself. */
class MeydanEmojiPicker extends Picker {
  /** A style element inside it would need the page's nonce; a constructed style sheet needs none. */
  override injectStyles(styles: string): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    if (!this.shadowRoot) return
    this.shadowRoot.adoptedStyleSheets = [sheet]
    fixRoles(this.shadowRoot)
  }
}

/** The library sets the ARIA states of options and tabs on its buttons, so they get these roles. */
function fixRoles(root: ShadowRoot): void {
  const give = (elements: Iterable<Element | null | undefined>, role: string): void => {
    for (const element of elements) if (element?.getAttribute('role') !== role) element?.setAttribute('role', role)
  }
  new MutationObserver(() => {
    const list = root.querySelector('.scroll')
    list?.setAttribute('aria-label', 'Emojiler')
    give([list], 'listbox')
    give(root.querySelectorAll('button[aria-posinset]'), 'option')
    const tabs = root.querySelectorAll('#nav button')
    give([tabs[0]?.parentElement], 'tablist')
    give(tabs, 'tab')
  }).observe(root, { subtree: true, childList: true })
}

if (!customElements.get('meydan-emoji')) customElements.define('meydan-emoji', MeydanEmojiPicker)

const searchEmoji = SearchIndex.search
/** The data's words are folded, so the query is folded too. */
SearchIndex.search = (asked, options) => searchEmoji(foldEmojiWord(asked), options)

/** As in the composer; the picker's own defaults, spelt out (specification 1, point 9). */
const PICKER_OPTIONS: Partial<PickerOptions> = {
  perLine: 7,
  maxFrequentRows: 4,
  emojiButtonSize: 36,
  emojiSize: 24,
  set: 'native',
  // At 250 px there is no room for the preview with its skin tone button.
  previewPosition: 'none',
  skinTonePosition: 'search',
}

interface EmojiPickerProps {
  onPick: (emoji: string) => void
  /** Closes it and returns the focus. */
  onEscape: () => void
  /** Closes it after a click outside. */
  onClose: () => void
}

/** Emoji for the composer. It stays open for more than one; Esc, a click outside and the button close it. */
export function EmojiPicker({ onPick, onEscape, onClose }: EmojiPickerProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  usePickerDismiss(frame, onEscape, onClose)

  useEffect(() => {
    const { current } = frame
    let isHere = true
    loadEmojiData().then(
      ([emoji, i18n]) => isHere && current?.append(makePicker(emoji, i18n, onPick)),
      () => isHere && setFailed(true),
    )
    return () => {
      isHere = false
      current?.querySelector('meydan-emoji')?.remove()
    }
  }, [onPick])

  return (
    <div ref={frame} className="emoji-frame" role="dialog" aria-label="Emoji seç">
      {hasFailed && <p>Emojiler yüklenemedi.</p>}
    </div>
  )
}

let emojiData: Promise<[unknown, unknown]> | null = null

/** Loaded from the site once; a failed load is retried. */
function loadEmojiData(): Promise<[unknown, unknown]> {
  const get = async (url: string): Promise<unknown> => (await fetch(url)).json()
  emojiData ??= Promise.all([get(data), get(texts)])
  emojiData.catch(() => {
    emojiData = null
  })
  return emojiData
}

function makePicker(emoji: unknown, i18n: unknown, onPick: (emoji: string) => void): HTMLElement {
  const theme = browserEnvironment.renderedTheme()
  return new MeydanEmojiPicker({
    ...PICKER_OPTIONS,
    data: emoji,
    i18n,
    theme: theme === 'system' ? 'auto' : theme,
    // A phone's keyboard would cover it.
    autoFocus: matchMedia('(hover: hover) and (pointer: fine)').matches,
    onEmojiSelect: ({ native }) => onPick(native),
  })
}

function usePickerDismiss(frame: RefObject<HTMLElement | null>, onEscape: () => void, onClose: () => void): void {
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      onEscape()
    }
    const closeOutside = ({ target }: Event): void => {
      const form = frame.current?.closest('form')
      if (target instanceof Node && !form?.contains(target)) onClose()
    }
    const ended = new AbortController()
    // In the capture phase: the library's search field stops the bubbling of keys.
    frame.current?.addEventListener('keydown', closeOnEscape, { capture: true, signal: ended.signal })
    document.addEventListener('keydown', closeOnEscape, { signal: ended.signal })
    document.addEventListener('pointerdown', closeOutside, { signal: ended.signal })
    return () => ended.abort()
  }, [frame, onEscape, onClose])
}
