import './window/call-window.tsx'

/** The calls of this tab, with their window: this file and its imports load with the first call. */
export { calls } from './state.ts'
