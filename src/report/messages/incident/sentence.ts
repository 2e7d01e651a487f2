/** Foreign or long words as one row of a message that has to fit on the screen of a phone; all of them stand in the thread. */
import { clean } from '../../clean.ts'
import { beginning } from '../../wrap.ts'

/** Characters of a row: four lines of a phone where it is the only long one, three where it is one of two. */
const longest = { alone: 160, oneOfTwo: 110 } as const

export const sentence = (text: string, room: keyof typeof longest = 'alone'): string => beginning(clean(text), longest[room])
