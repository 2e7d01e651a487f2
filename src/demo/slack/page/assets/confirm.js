// Asks "are you sure" in the words that the app gave to a button.
export const confirmed = async (element) => {
  if (!element.dataset.confirm) return true
  const ask = JSON.parse(element.dataset.confirm)
  const dialog = document.getElementById('confirm')
  const [no, yes] = dialog.querySelectorAll('footer button')
  dialog.querySelector('h2').textContent = ask.title
  dialog.querySelector('.modal-body').innerHTML = ask.html
  no.textContent = ask.no
  yes.textContent = ask.yes
  yes.className = `button ${ask.danger ? 'danger' : 'primary'}`
  dialog.returnValue = 'no'
  dialog.showModal()
  // Its last closing may be told only now, when it is open again.
  do await new Promise((closed) => dialog.addEventListener('close', closed, { once: true }))
  while (dialog.open)
  return dialog.returnValue === 'yes'
}
