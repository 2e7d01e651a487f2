/** Every parser on the bodies of real drivers of three versions, and on bodies nobody would send. */
import { describe, expect, test } from 'vitest'
import { newestRunning, parseApplications } from '../../src/sources/spark-applications.ts'
import { parseDriverGauges } from '../../src/sources/spark-driver.ts'
import { parseExecution, parseExecutions } from '../../src/sources/spark-executions.ts'
import { parseExecutors } from '../../src/sources/spark-executors.ts'
import { parseJobs } from '../../src/sources/spark-jobs.ts'
import { parseStages, readsKafka } from '../../src/sources/spark-stages.ts'
import { parseTaskSummary, parseTasks, taskFields } from '../../src/sources/spark-tasks.ts'
import { recorded, VERSIONS } from '../fixtures/spark/stub-driver.ts'

describe.each(VERSIONS)('Spark %s', (version) => {
  const bodies = recorded(version)

  test('applications: the running one, and the driver’s clock to the millisecond', () => {
    const application = newestRunning(parseApplications(bodies.applications) ?? [])
    expect(application).toMatchObject({ name: 'rig-delta', version, running: true })
    const [start, now] = [application?.startedMs ?? 0, application?.driverNowMs ?? 0]
    expect(now - start).toBeGreaterThan(20_000)
    expect(now - start).toBeLessThan(130_000)
  })

  test('jobs: batch, run and query of each, tags where there are any', () => {
    const jobs = parseJobs(bodies.jobs) ?? []
    expect(jobs).toHaveLength(8)
    expect(jobs.every((job) => job.label?.query === 'orders' && job.label.batch !== null && job.label.run === job.group)).toBe(true)
    expect(jobs.some((job) => job.label?.about?.startsWith('Compute snapshot') === true)).toBe(true)
    expect(jobs.every((job) => (version === '3.5.1' ? job.root === null : (job.root ?? -1) >= 0))).toBe(true)
    expect(jobs.every((job) => job.running === (job.endMs === null))).toBe(true)
    expect(parseJobs(bodies.jobsRunning)).toMatchObject([{ running: true, endMs: null }])
  })

  test('stages: only those that ran; Kafka rows come without bytes', () => {
    const stages = parseStages(bodies.stages) ?? []
    expect(stages.map((stage) => stage.status)).not.toContain('SKIPPED')
    expect(stages.map((stage) => stage.status)).not.toContain('PENDING')
    const source = stages.find(readsKafka)
    expect(source).toMatchObject({ tasks: 12, label: { query: 'orders', about: null } })
    expect(source?.cpuMs ?? 0).toBeLessThan(source?.runMs ?? 0)
  })

  test('sql executions: oldest first, with start and duration', () => {
    const executions = parseExecutions(bodies.sql) ?? []
    expect(executions.map((execution) => execution.id)).toEqual([0, 1, 2, 3, 4, 5])
    expect(executions.every((execution) => execution.durationMs > 0 && !execution.running && !execution.failed)).toBe(true)
    expect(executions.map((execution) => execution.rootId)).toEqual(
      version === '4.2.0' ? [0, 0, 0, 3, 3, 3] : [null, null, null, null, null, null],
    )
    expect(parseExecution(bodies.sql[0])).toEqual(executions[0])
  })

  test('executors: the driver only counts where it runs the tasks itself', () => {
    const executors = parseExecutors(bodies.executors) ?? []
    expect(executors.map((executor) => [executor.id, executor.host, executor.slots])).toEqual(
      version === '4.1.1'
        ? [
            ['0', '127.0.0.3', 2],
            ['1', '127.0.0.2', 2],
          ]
        : [['driver', '127.0.0.1', 2]],
    )
    expect(executors.every((executor) => executor.active && executor.addedMs !== null && executor.gcMs !== null)).toBe(true)
  })

  test('tasks: our quantiles equal those of Spark', () => {
    const tasks = parseTasks(bodies.tasks) ?? []
    expect(tasks).toHaveLength(12)
    const fields = taskFields({ tasks, whole: true, quantiles: null, nowMs: 0, seenMs: 0, before: null })
    const summary = bodies.taskSummary as { duration: number[]; inputMetrics: { recordsRead: number[] } }
    expect([fields.task_ms?.min, fields.task_ms?.median, fields.task_ms?.max]).toEqual([
      summary.duration[0],
      summary.duration[1],
      summary.duration[3],
    ])
    expect([fields.task_rows?.min, fields.task_rows?.median, fields.task_rows?.max]).toEqual([
      summary.inputMetrics.recordsRead[0],
      summary.inputMetrics.recordsRead[1],
      summary.inputMetrics.recordsRead[3],
    ])
    expect(fields.task_sample).toHaveLength(12)
    expect(fields.slowest?.[0]?.ms).toBe(fields.task_ms?.max)
    expect(fields.slowest?.every((task) => task.partition === undefined)).toBe(true)
    expect(fields.by_executor?.reduce((sum, executor) => sum + (executor.tasks ?? 0), 0)).toBe(12)
    expect(parseTaskSummary(bodies.taskSummary)?.task_ms).toEqual({
      min: summary.duration[0],
      median: summary.duration[1],
      p75: summary.duration[2],
      max: summary.duration[3],
    })
  })

  test('gauges: no event was lost', () => {
    expect(parseDriverGauges(bodies.metrics)).toEqual({ droppedEvents: 0, heapShare: null })
  })
})

test('lost events and the heap are found under any namespace', () => {
  const body = {
    counters: {
      'my.app.driver.LiveListenerBus.queue.appStatus.numDroppedEvents': { count: 41 },
      'my.app.driver.LiveListenerBus.queue.shared.numDroppedEvents': { count: 9 },
    },
    gauges: { 'my.app.driver.jvm.heap.usage': { value: 0.83 } },
  }
  expect(parseDriverGauges(body)).toEqual({ droppedEvents: 41, heapShare: 0.83 })
})

describe('bodies of another form', () => {
  const parsers = {
    parseApplications,
    parseJobs,
    parseStages,
    parseExecutions,
    parseExecutors,
    parseTasks,
    parseTaskSummary,
    parseDriverGauges,
    parseExecution,
  }
  test.each(Object.entries(parsers))('%s: not seen, without throwing', (_, parse) => {
    for (const body of [null, undefined, 7, 'text', true, {}]) expect(parse(body)).toBeNull()
  })

  test('an odd entry costs only itself', () => {
    const good = recorded('4.1.1').jobs[0]
    expect(parseJobs([null, 3, [], {}, { jobId: 'x' }, { ...good, submissionTime: 'yesterday' }, good])).toHaveLength(1)
    expect(
      parseTasks([{ taskId: 1 }, { taskId: 2, launchTime: '2026-11-30T03:42:45.210GMT', executorId: '0', status: 'RUNNING' }]),
    ).toMatchObject([{ id: 2, rows: null, running: true }])
  })
})

test('of two attempts of a stage the last counts, with the failures of both', () => {
  const stage = recorded('4.1.1').stages.find((one) => one.status === 'COMPLETE') ?? {}
  const stages = parseStages([
    { ...stage, attemptId: 1, numFailedTasks: 0, inputRecords: 10 },
    { ...stage, attemptId: 0, numFailedTasks: 3, status: 'FAILED' },
  ])
  expect(stages).toMatchObject([{ attempt: 1, status: 'COMPLETE', failedTasks: 3, inputRows: 10 }])
})
