/** The part of the picker that is used: its package's types lack its options and the element type. */
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

  /** Lower-cases the query by itself, and compares it with the unchanged keywords. */
  export const SearchIndex: {
    search(asked: string, options?: object): Promise<unknown>
  }
}

/** The address of the picker's data, which the build makes (src/server/kernel/render/emoji-asset.ts). */
declare module 'virtual:emoji-data' {
  const url: string
  export default url
}
