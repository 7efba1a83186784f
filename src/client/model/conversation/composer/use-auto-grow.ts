import { type RefObject, useLayoutEffect } from 'react'

/** Fits the field to its text where CSS cannot. */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (!current || CSS.supports('field-sizing', 'content')) return
    current.style.height = text === '' ? '' : 'auto'
    if (text !== '') current.style.height = `${current.scrollHeight}px`
  }, [field, text])
}
