// Ports of one rig: free ones below the range that the system hands out for outgoing connections, so that none is
// taken between the look and the start. A port taken later is refused: a producer must never feed somebody else's broker.
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Ports {
  readonly brokers: readonly number[]
  readonly controllers: readonly number[]
  readonly master: number
  readonly masterUi: number
  readonly workerUis: readonly number[]
  readonly driverUi: number
}

const FIRST = 20_000
const LAST = 31_999

/** True when nothing listens on the port at any of the rig's loopback addresses. */
async function isFree(port: number, hosts: readonly string[] = ['127.0.0.1', '127.0.0.2', '127.0.0.3']): Promise<boolean> {
  for (const host of hosts) {
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, host, () => server.close(() => resolve(true)))
    })
    if (!free) return false
  }
  return true
}

/** Draws free ports for `brokers` Kafka nodes, the Spark master, `workers` workers and one driver. */
export async function choosePorts(brokers: number, workers: number): Promise<Ports> {
  const taken = new Set<number>()
  const next = async (): Promise<number> => {
    for (let tries = 0; tries < 500; tries++) {
      const port = FIRST + Math.floor(Math.random() * (LAST - FIRST))
      if (taken.has(port) || !(await isFree(port))) continue
      taken.add(port)
      return port
    }
    throw new Error(`no free port between ${FIRST} and ${LAST}`)
  }
  const several = async (count: number): Promise<number[]> => {
    const ports: number[] = []
    while (ports.length < count) ports.push(await next())
    return ports
  }
  return {
    brokers: await several(brokers),
    controllers: await several(brokers),
    master: await next(),
    masterUi: await next(),
    workerUis: await several(workers),
    driverUi: await next(),
  }
}

/** Throws when the port is in use. */
export async function refuseTaken(port: number, what: string): Promise<void> {
  if (!(await isFree(port))) throw new Error(`port ${port} for ${what} is in use by another process`)
}

/** Resolves once something listens; throws after `limitMs`, or at once when `stillRuns` says the starter is gone. */
export async function waitForPort(host: string, port: number, limitMs: number, stillRuns: () => boolean): Promise<void> {
  const until = Date.now() + limitMs
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ host, port, timeout: 500 })
      const end = (answer: boolean) => {
        socket.destroy()
        resolve(answer)
      }
      socket.once('connect', () => end(true))
      socket.once('error', () => end(false))
      socket.once('timeout', () => end(false))
    })
    if (open) return
    if (!stillRuns()) throw new Error(`the process for ${host}:${port} ended; its log is in the folder logs of the rig`)
    if (Date.now() > until) throw new Error(`${host}:${port} did not open within ${limitMs} ms`)
    await sleep(50)
  }
}
