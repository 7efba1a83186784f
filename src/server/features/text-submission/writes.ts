import { trimReplacedTexts } from './trim-replaced-texts.ts'

/** The write commands of this feature. */
export const writes = [trimReplacedTexts]
