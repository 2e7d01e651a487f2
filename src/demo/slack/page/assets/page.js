// Wires the page: shows what /page/sights says, again whenever there is news, and sends what a person does.
import { confirmed } from './confirm.js'
import { patch, put, showModal, values } from './show.js'

const at = (id) => document.getElementById(id)
const query = new URLSearchParams(location.search)
const state = {
  user: query.get('as') ?? at('as').value,
  channel: query.get('channel') ?? '',
  thread: query.get('thread') ?? '',
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}
at('as').value = state.user

const send = async (what, body) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`/page/${what}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ user: state.user, channel: state.channel, ...body }),
  })
  const { trouble } = await answer.json()
  if (trouble) toast(trouble)
}

const toast = (text) => {
  at('toast').textContent = text
  at('toast').hidden = false
  setTimeout(() => {
    at('toast').hidden = true
  }, 5000)
}

let looking = false
let again = false
const look = async () => {
  if (looking) {
    again = true
    return
  }
  looking = true
  try {
    const { user, channel, thread, zone } = state
    const seen = await (await fetch(`/page/sights?${new URLSearchParams({ user, channel, thread, zone })}`)).json()
    state.channel = seen.channel
    // Nothing can be sent before it is known whereto.
    for (const button of document.querySelectorAll('.composer button')) button.disabled = false
    at('title').textContent = seen.title
    at('topic').textContent = seen.topic
    put(at('channels'), seen.channels)
    put(at('bar'), seen.bar)
    at('demo').hidden = seen.bar === ''
    state.time = seen.time && { ...seen.time, sinceMs: performance.now() }
    tellTime()
    put(at('bookmarks'), seen.bookmarks)
    patch(at('messages'), seen.messages)
    at('thread').hidden = seen.thread === null
    patch(at('replies'), seen.thread ?? [])
    at('line').disabled = !seen.member
    showModal(seen.modal)
    remember()
  } finally {
    looking = false
    if (again) {
      again = false
      void look()
    }
  }
}

// The demo's clock runs on between two looks at it.
const tellTime = () => {
  if (!state.time) return
  const { nowMs, pace, sinceMs } = state.time
  const now = new Date(nowMs + (performance.now() - sinceMs) * pace)
  const clock = now.toLocaleTimeString('en-GB', { timeZone: state.zone })
  const speed = pace > 1 ? ` · ${pace}× faster` : pace < 1 ? ' · slowed while you read' : ''
  at('time').lastChild.textContent = clock + speed
  at('time').classList.toggle('fast', pace > 1)
}
setInterval(tellTime, 200)

const actAs = (user) => {
  state.user = user
  at('as').value = user
  void look()
}

const remember = () => {
  const { user, channel, thread } = state
  history.replaceState(null, '', `/?${new URLSearchParams({ as: user, channel, ...(thread === '' ? {} : { thread }) })}`)
}

const pressed = async (element, chosen) => {
  if (!(await confirmed(element))) return
  const message = element.closest('.message')
  element.classList.add('busy')
  await send('press', { ts: message?.dataset.ts ?? null, on: element.dataset.press, block: element.dataset.block, values: chosen })
  element.classList.remove('busy')
}

document.addEventListener('click', (event) => {
  const element = event.target.closest('button')
  if (element === null) return
  const { channel, thread, demo, press, url, as } = element.dataset
  if (channel !== undefined) Object.assign(state, { channel, thread: '' })
  if (thread !== undefined) state.thread = thread
  if (element.id === 'close-thread') state.thread = ''
  if (demo !== undefined) void send('demo', { id: demo })
  if (as !== undefined) actAs(as)
  if (element.dataset.close !== undefined) void send('close', {})
  if (press !== undefined) void pressed(element, [])
  if (url !== undefined && /^https?:/.test(url)) window.open(url, '_blank', 'noopener')
  if (channel !== undefined || thread !== undefined || element.id === 'close-thread') void look()
})

document.addEventListener('change', (event) => {
  const field = event.target
  if (field.id === 'as') {
    actAs(field.value)
    return
  }
  if (field.dataset.press === undefined) return
  const boxes = field.closest('.choices')?.querySelectorAll('input:checked')
  const chosen = boxes
    ? [...boxes].map((box) => box.value)
    : field.multiple
      ? [...field.selectedOptions].map((option) => option.value)
      : [field.value]
  void pressed(field, chosen)
})

const writes = (form, line, thread) =>
  at(form).addEventListener('submit', (event) => {
    event.preventDefault()
    const text = at(line).value
    at(line).value = ''
    void send('type', { text, thread: thread() })
  })
writes('composer', 'line', () => '')
writes('reply', 'reply-line', () => state.thread)

at('modal').addEventListener('submit', (event) => {
  event.preventDefault()
  void send('submit', { values: values(at('modal')) })
})
at('modal').addEventListener('cancel', (event) => {
  event.preventDefault()
  void send('close', {})
})

const news = new EventSource('/page/news')
news.addEventListener('changed', () => void look())
void look().then(() => {
  const wanted = query.get('at') && document.querySelector(`#messages [data-ts="${CSS.escape(query.get('at'))}"]`)
  wanted?.scrollIntoView({ block: 'center' })
  wanted?.classList.add('target')
})
