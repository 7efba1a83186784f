import { screensAreAccessible } from './accessible.ts'

screensAreAccessible('desktop')
