import { ask } from './calls.js'
import { byId, setText } from './dom.js'

/** The dialog that adds a phone. */
export function startAdding() {
  const dialog = byId('add-dialog', HTMLDialogElement)
  const email = byId('new-email', HTMLInputElement)
  const password = byId('new-password', HTMLInputElement)
  const problem = byId('new-problem', HTMLElement)
  byId('add', HTMLElement).addEventListener('click', () => {
    setText(problem, '')
    dialog.showModal()
  })
  byId('new-cancel', HTMLElement).addEventListener('click', () => dialog.close())
  dialog.addEventListener('submit', (event) => {
    event.preventDefault()
    const submit = event.submitter
    if (submit?.ariaDisabled === 'true') return
    if (submit) submit.ariaDisabled = 'true'
    void add().finally(() => {
      if (submit) submit.ariaDisabled = 'false'
    })
  })

  async function add() {
    const [platform, kind] = byId('new-reach', HTMLSelectElement).value.split(' ')
    const failed = await ask('/simulator/phones', {
      platform,
      kind,
      ...(email.value !== '' && { email: email.value }),
      ...(password.value !== '' && { password: password.value }),
    })
    setText(problem, failed ?? '')
    if (failed !== undefined) return
    email.value = password.value = ''
    dialog.close()
  }
}
