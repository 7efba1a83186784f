/** As much of the picker as is used: the types in its package leave its options out and do not know it for an element. */
declare module 'emoji-mart' {
  export interface PickerOptions {
    data: unknown
    i18n: unknown
    set: 'native'
    theme: 'auto' | 'dark' | 'light'
    perLine: number
    maxFrequentRows: number
    emojiButtonSize: number
    emojiSize: number
    previewPosition: 'none' | 'top' | 'bottom'
    skinTonePosition: 'none' | 'preview' | 'search'
    autoFocus: boolean
    onEmojiSelect: (emoji: { native: string }) => void
  }

  export class Picker extends HTMLElement {
    constructor(options: Partial<PickerOptions>)
    /** Called by the constructor, after `attachShadow`. */
    injectStyles(styles: string): void
  }

  /** Lower-cases what it is asked in its own way, and compares it with the keywords as they are. */
  export const SearchIndex: {
    search(asked: string, options?: object): Promise<unknown>
  }
}

/** The address of the picker's data, which the build makes (src/server/render/emoji-asset.ts). */
declare module 'virtual:emoji-data' {
  const url: string
  export default url
}
