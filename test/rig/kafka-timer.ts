// kafkajs 2.2.4 re-arms a 1 ms timer for ever on each idle connection (kafkajs#1751: about 3 % of a core). On a rig of
// two cores that is fault strength we did not choose, so the timer is armed only while something is pending.
import { createRequire } from 'node:module'

interface RequestQueue {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  pending: unknown[]
  checkPendingRequests(): void
}

let done = false

export function calmTimer(): void {
  if (done) return
  done = true
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue & { scheduleCheckPendingRequests(): void }
  }
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId) return
    let inMs = this.throttledUntil - Date.now()
    if (this.pending.length > 0) inMs = inMs > 0 ? inMs : 10
    else if (inMs <= 0) return
    this.throttleCheckTimeoutId = setTimeout(() => {
      this.throttleCheckTimeoutId = null
      this.checkPendingRequests()
    }, inMs)
  }
}
