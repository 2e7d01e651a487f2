// Puts HTML into the page, exchanging only what changed.
const at = (id) => document.getElementById(id)

const toEnd = (list) => {
  list.scrollTop = list.scrollHeight
}

const made = (list, html) => {
  const holder = document.createElement('template')
  holder.innerHTML = html.trim()
  const fresh = holder.content.firstElementChild
  fresh.source = html
  for (const picture of fresh.querySelectorAll('img')) picture.addEventListener('load', () => list.follows && toEnd(list))
  return fresh
}

// Exchanges only the messages whose HTML changed and moves none: a menu that is open stays open.
export const patch = (list, wanted) => {
  list.follows = list.scrollHeight - list.scrollTop - list.clientHeight < 80
  const known = new Map([...list.children].map((child) => [child.dataset.ts, child]))
  const kept = new Set(wanted.map(({ ts }) => ts))
  for (const [ts, child] of known) if (!kept.has(ts)) child.remove()
  let place = list.firstElementChild
  for (const { ts, html } of wanted) {
    const child = known.get(ts)
    if (child === undefined) list.insertBefore(made(list, html), place)
    else {
      place = child.nextElementSibling
      if (child.source !== html) child.replaceWith(made(list, html))
    }
  }
  if (list.follows) toEnd(list)
}

export const put = (element, html) => {
  if (element.source === html) return
  element.source = html
  element.innerHTML = html
}

export const showModal = (html) => {
  const dialog = at('modal')
  if (html === null) {
    dialog.close()
    dialog.source = null
    return
  }
  if (dialog.source === html) return
  const kept = dialog.open ? values(dialog) : {}
  const same = dialog.querySelector('form')?.dataset.view
  put(dialog, html)
  if (dialog.querySelector('form').dataset.view === same) restore(dialog, kept)
  if (!dialog.open) dialog.showModal()
}

export const values = (dialog) => {
  const all = {}
  for (const field of dialog.querySelectorAll('[name]')) {
    if (field.tagName === 'BUTTON') continue
    all[field.name] ??= []
    if (field.multiple) all[field.name].push(...[...field.selectedOptions].map((option) => option.value))
    else if (!['checkbox', 'radio'].includes(field.type) || field.checked) all[field.name].push(field.value)
  }
  return all
}

const restore = (dialog, kept) => {
  for (const field of dialog.querySelectorAll('input[type=text], textarea')) {
    if (kept[field.name]?.[0]) field.value = kept[field.name][0]
  }
}
