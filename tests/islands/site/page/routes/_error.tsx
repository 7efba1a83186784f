import * as real from '../../../../../src/client/page/routes/_error.tsx'

export const { Page, title } = real
