/** The strip above the channel. Empty until whoever runs the demo says where the story is and what can be done next. */
import type { News } from '../news.ts'
import type { Markup } from './markup.ts'
import { html, link, nothing } from './markup.ts'

export interface DemoButton {
  readonly id: string
  readonly label: string
  /** One at most: what a newcomer should press next. */
  readonly primary?: boolean
  /** The page then acts as this person. */
  readonly actAs?: string
  readonly press: () => Promise<void> | void
}

export interface Sign {
  /** The whole way, in order. */
  readonly steps: readonly { readonly label: string; readonly state: 'done' | 'now' | 'ahead' }[]
  /** One line of plain text. */
  readonly says: string
  readonly buttons: readonly DemoButton[]
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

/** The demo's time, which may run faster than the machine's. */
export interface Time {
  readonly today: () => number
  /** Demo seconds in one of the machine's. */
  readonly pace: () => number
}

export interface DemoBar {
  readonly show: (sign: Sign) => void
  /** @returns false = there is no such button now */
  readonly press: (id: string) => Promise<boolean>
  readonly html: () => Markup
  /** null = no demo is shown, so nobody asks what time it is. */
  readonly time: () => { readonly nowMs: number; readonly pace: number } | null
}

export function demoBar(news: News, { today, pace }: Time): DemoBar {
  let sign: Sign | null = null
  return {
    show(next) {
      sign = next
      news.tell()
    },
    async press(id) {
      const button = sign?.buttons.find((one) => one.id === id)
      await button?.press()
      return button !== undefined
    },
    html: () => (sign === null ? nothing : drawn(sign)),
    time: () => (sign === null ? null : { nowMs: today(), pace: pace() }),
  }
}

function drawn({ steps, says, buttons, links }: Sign): Markup {
  const list = steps.map(
    ({ label, state }) => html`<li class="${state}"${state === 'now' ? html` aria-current="step"` : nothing}>${label}</li>`,
  )
  const row = buttons.map(
    ({ id, label, primary, actAs }) =>
      html`<button type="button" class="button ${primary === true ? 'primary' : 'default'}" data-demo="${id}"${actAs === undefined ? nothing : html` data-as="${actAs}"`}>${label}</button>`,
  )
  const ways = links.map(({ label, url }) => link(url, html`${label}`))
  return html`${steps.length === 0 ? nothing : html`<ol>${list}</ol>`}<p>${says}</p><div>${row}</div>${links.length === 0 ? nothing : html`<nav aria-label="Elsewhere">${ways}</nav>`}`
}
