/**
 * Three projects. `unit` needs nothing but Node, and for some files a Redis server that they start themselves; it shares one module
 * graph (isolating every file costs ten times as long).
 * `service` runs whole processes of the service over a Redis server, before a stand-in of Slack, one file after the other.
 * `live` talks to a real Kafka, Spark and Delta, so its files run one after the other, each in its own process.
 */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    passWithNoTests: true,
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/live/**', 'test/service/**', 'test/fixtures/**'],
          pool: 'threads',
          isolate: false,
          testTimeout: 10_000,
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'live',
          include: ['test/live/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
