/** The strip above the channel. Empty until whoever runs the demo puts buttons there, e.g. "Fire the alert". */
import type { News } from '../news.ts'
import type { Markup } from './markup.ts'
import { html, nothing } from './markup.ts'

export interface DemoButton {
  readonly id: string
  readonly label: string
  /** One at most: what a newcomer should press next. */
  readonly primary?: boolean
  readonly press: () => Promise<void> | void
}

export interface DemoBar {
  /** @param note one line of plain text; '' = none */
  readonly show: (note: string, buttons: readonly DemoButton[]) => void
  /** @returns false = there is no such button now */
  readonly press: (id: string) => Promise<boolean>
  readonly html: () => Markup
}

export function demoBar(news: News): DemoBar {
  let note = ''
  let buttons: readonly DemoButton[] = []
  return {
    show(text, list) {
      note = text
      buttons = list
      news.tell()
    },
    async press(id) {
      const button = buttons.find((one) => one.id === id)
      await button?.press()
      return button !== undefined
    },
    html: () =>
      note === '' && buttons.length === 0
        ? nothing
        : html`<p>${note}</p><div>${buttons.map((one) => html`<button type="button" class="button ${one.primary === true ? 'primary' : 'default'}" data-demo="${one.id}">${one.label}</button>`)}</div>`,
  }
}
