import { expect, test } from 'vitest'
import { perSource, perTarget } from './effort-lines.ts'
import { figureLine } from './figures.ts'
import { extraOf } from './windows.ts'

const words = (line: string): string => line.trim().replace(/ +/g, ' ')

test.each<[string, number[], string]>([
  ['one value has no spread', [3], 'time 3 s n = 1'],
  ['the middle of an even number', [4, 1, 2, 3], 'time 2.50 s 1 … 4 n = 4'],
  ['a run that gave none is not counted', [Number.NaN, 5, 7], 'time 6 s 5 … 7 n = 2'],
  ['none at all', [Number.NaN], 'time not measured'],
])('%s', (_, values, line) => {
  expect(words(figureLine('time', values, 's'))).toBe(line)
})

test('a goal stands behind the figure', () => {
  expect(words(figureLine('start to verdict', [3.6, 4.7, 3.7], 's', '≤ 5 s median'))).toBe(
    'start to verdict 3.70 s 3.60 … 4.70 n = 3 goal ≤ 5 s median',
  )
})

test('a diagnosis costs what its window took beyond the usual, by the second', () => {
  const window = (seconds: number, driver: number) => ({ seconds, cpuSeconds: { driver } })
  // usual: 0.2 a second; the second diagnosis overran its window
  const extra = extraOf('driver', [window(10, 2), window(10, 2)], [window(10, 2.5), window(15, 3.5)])
  expect(extra[0]).toBeCloseTo(0.5)
  expect(extra[1]).toBeCloseTo(0.5)
  expect(extraOf('broker1', [window(10, 2)], [window(10, 2)])).toEqual([Number.NaN])
})

const VERBOSE = `looked for 3.10 s:
  kafka        look 1    0.44 s
  kafka        look 2    0.06 s
  spark-ui     look 1    1.20 s  (stopped at its deadline)
asked of:
  broker 127.0.0.1:9092            12 requests      40.5 KiB
  folder /data/orders/checkpoint  203 requests     131.4 KiB
`

test('seconds, requests and bytes are read from what --verbose says', () => {
  expect([...perSource([VERBOSE, VERBOSE])]).toEqual([
    ['kafka, look 1', [0.44, 0.44]],
    ['kafka, look 2', [0.06, 0.06]],
    ['spark-ui, look 1', [1.2, 1.2]],
  ])
  expect([...perTarget([VERBOSE])]).toEqual([
    ['broker 127.0.0.1:9092', { requests: [12], kib: [40.5] }],
    ['folder …/checkpoint', { requests: [203], kib: [131.4] }],
  ])
})
