import { createDocketClient, type DocketClient, subscribeTree } from "@docket/client"
import { readRunningTasks } from "./read-running-tasks"

const form = element("service", HTMLFormElement)
const state = element("state", HTMLElement)
const list = element("tasks", HTMLElement)
let leave = () => {}

form.addEventListener("submit", (event) => {
  event.preventDefault()
  const given = new FormData(form)
  leave()
  leave = follow(createDocketClient({ url: String(given.get("url")), token: String(given.get("token")) }))
})

/** Shows what runs, and reads it again when the service says that a session changed. */
function follow(client: DocketClient): () => void {
  let asked = 0
  const show = async () => {
    const mine = ++asked
    const tasks = await readRunningTasks(client)
    // A later answer is the newer one.
    if (mine !== asked) return
    list.replaceChildren(...tasks.map(({ title, task }) => row(`${title}: ${task.description} (${task.agent})`)))
  }
  const showOrTell = () => void show().catch((error: Error) => tell(error.message))
  const stop = subscribeTree(client, {
    onEvent: showOrTell,
    onState(connection) {
      tell(connection)
      if (connection === "live") showOrTell()
    },
    onError: (error) => tell(error.message),
  })
  return () => {
    asked += 1
    stop()
  }
}

function tell(text: string): void {
  state.textContent = text
}

function row(text: string): HTMLLIElement {
  const item = document.createElement("li")
  item.textContent = text
  return item
}

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`)
  return found
}
