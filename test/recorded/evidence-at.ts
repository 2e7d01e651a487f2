/** A diagnosis at an instant of a recording: what all sources would have brought home, joined and frozen. */
import type { Evidence } from '../../src/incident/evidence.ts'
import { readBundle, writeBundle } from '../../src/sources/bundle.ts'
import { mergeFindings } from '../../src/timeline/merge.ts'
import { windowMs } from '../../src/workflow/diagnose.ts'
import { questionAt } from '../fixtures/spark/question.ts'
import { checkpointAt, deltaAt } from './files-at.ts'
import { kafkaAt } from './kafka-at.ts'
import type { Recording } from './recording.ts'
import { pollBefore } from './recording.ts'
import { sparkAt } from './spark-at.ts'

/** The bundle a diagnosis would have written, with the smallest whole configuration: nothing declared. */
export async function bundleAt(recording: Recording, instantMs: number): Promise<string> {
  const atMs = pollBefore(recording.polls, instantMs)
  const plain = questionAt('http://127.0.0.1:4040', atMs)
  const pipeline = { ...plain.pipeline, checkpoint: '/data/checkpoints/orders', table: '/data/orders_bronze' }
  const question = { ...plain, pipeline, fromMs: atMs - windowMs }
  const polls = recording.polls.filter((poll) => poll.t >= question.fromMs)
  const spark = sparkAt(polls, question)
  const findings = [
    ...spark.findings,
    await checkpointAt(polls, question, spark.query),
    deltaAt(polls, question, spark.query),
    kafkaAt(polls, atMs, pipeline.topic),
  ]
  return writeBundle(mergeFindings(findings, { pipeline, askedAtMs: atMs, fromMs: question.fromMs, toMs: atMs }))
}

export async function evidenceAt(recording: Recording, atMs: number): Promise<Evidence> {
  return readBundle(await bundleAt(recording, atMs))
}
