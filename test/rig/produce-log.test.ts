import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ProduceLog, readProduceLog } from './produce-log.ts'
import { partitionRates } from './producer-control.ts'

test('a produce log adds up by record time and by send time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'produce-log-'))
  try {
    const file = join(folder, 'produced.jsonl')
    const log = new ProduceLog(file)
    log.count(100, 100, 0, 3, false)
    log.count(100, 100, 0, 1, false)
    log.count(100, 40, 1, 5, false) // back-dated by a minute
    log.flush(101)
    log.count(100, 100, 0, 2, false) // a late acknowledgement
    log.count(101, 101, 0, 7, true)
    log.flush()
    const { byRecordTime, bySendTime, unknown } = readProduceLog(file)
    expect([...(byRecordTime.get(0) ?? [])]).toEqual([
      [100, 6],
      [101, 0],
    ])
    expect([...(byRecordTime.get(1) ?? [])]).toEqual([[40, 5]])
    expect([...(bySendTime.get(1) ?? [])]).toEqual([[100, 5]])
    expect(unknown).toBe(7)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('rates of partitions, by hand', () => {
  expect(partitionRates({ rate: 100, weights: [1, 3, 0] })).toEqual([25, 75, 0])
  expect(partitionRates({ rate: 100, weights: [1, 3, 1], hot: { partition: 2, share: 0.75 } })).toEqual([6.25, 18.75, 75])
  expect(partitionRates({ rate: 100, weights: [1, 3], stopped: [1] })).toEqual([25, 0])
  expect(partitionRates({ rate: 100, weights: [1, 3], paused: true })).toEqual([0, 0])
})
