// The rig's own door to Kafka: topics and log ends. Nothing here is shared with the product.

import type { Admin, Kafka as Client } from 'kafkajs'
import kafkajs from 'kafkajs'
import { calmTimer } from './kafka-timer.ts'

/** A client of the rig's brokers that logs nothing; errors are thrown to the caller. */
export function kafkaClient(brokers: readonly string[], clientId: string): Client {
  calmTimer()
  return new kafkajs.Kafka({ clientId, brokers: [...brokers], logLevel: kafkajs.logLevel.NOTHING })
}

/** Runs `use` with a connected admin and disconnects it. */
export async function withAdmin<T>(brokers: readonly string[], use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient(brokers, 'rig').admin({ retry: { retries: 8, initialRetryTime: 200 } })
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Creates the topic and waits until every partition has a leader. */
export async function createTopic(brokers: readonly string[], topic: string, partitions: number): Promise<void> {
  await withAdmin(brokers, (admin) => admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: true }))
}

/** Log end offset of each partition, by partition number. */
export async function logEnds(brokers: readonly string[], topic: string): Promise<number[]> {
  const rows = await withAdmin(brokers, (admin) => admin.fetchTopicOffsets(topic))
  const ends: number[] = []
  for (const row of rows) ends[row.partition] = Number(row.offset)
  return ends
}
