import { testAllScreens, testSomeScreens } from './screen-accessibility.ts'

testSomeScreens(['rootAdmin'])
testAllScreens(['rootAdmin'], { tags: 'deep' })
