/** Hands out the trigger_id and the response_url that go with an interaction. */
import type { Backstage } from '../backstage.ts'
import type { ResponseUrl } from '../workspace/triggers.ts'

export function newTrigger(stage: Backstage, user: string, viewId: string | null = null): string {
  const id = `${stage.chance.between([1e9, 9e9])}.${stage.chance.between([1e9, 9e9])}.${stage.chance.id('', 16).toLowerCase()}`
  stage.workspace.triggers.set(id, { user, madeAtMs: stage.clock.now(), viewId, used: false })
  return id
}

export function newResponseUrl(stage: Backstage, to: Pick<ResponseUrl, 'user' | 'channel' | 'original' | 'threadTs'>): string {
  const key = stage.chance.id('', 24)
  stage.workspace.responseUrls.set(key, { ...to, madeAtMs: stage.clock.now(), uses: 0 })
  return `${stage.base()}/response/${key}`
}
