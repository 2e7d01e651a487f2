/** A job is stored twice on its way, by the store that was asked for it and by the queue that takes it over: in one shape. */
import type { Job } from './incident-ports.ts'
import type { Format } from './stored.ts'

export const jobFormat: Format<Job> = { name: 'a job', version: 1, upgrade: null }
