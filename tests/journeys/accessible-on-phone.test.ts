import { screensAreAccessible } from './accessible.ts'

screensAreAccessible('phone')
