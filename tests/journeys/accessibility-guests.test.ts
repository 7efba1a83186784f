import { testAllScreens, testSomeScreens } from './screen-accessibility.ts'

testSomeScreens(['guest', 'nobody'])
testAllScreens(['guest', 'nobody'], { tags: 'deep' })
