import { setTimeout as delay } from "node:timers/promises"
import { type DocketClient, subscribeTree } from "@docket/client"
import { type DirectiveInput, toPrompt } from "../fake-provider/directive.ts"

/** One simulated user: a client, a project, their sessions, and a random source. */
export interface Person {
  client: DocketClient
  url: string
  projectID: string
  sessions: string[]
  random(): number
}

type Plan = Partial<DirectiveInput>

/** Number of sessions that a user keeps: the oldest are removed first. */
const keptSessions = 25

const read: Plan = { call: { name: "read", args: { filePath: "notes.md" } } }
const list: Plan = { call: { name: "bash", args: { command: "ls -la && seq 1 3000", description: "List and count" } } }
const child: Plan = { ...read, latency: 30, steps: 2 }

/** What users do in a day, each with its relative frequency. */
export const activities: { name: string; share: number; act(person: Person): Promise<void> }[] = [
  { name: "ask", share: 6, act: ask },
  { name: "work with tools", share: 5, act: workWithTools },
  { name: "delegate", share: 3, act: delegate },
  { name: "delegate in the background", share: 2, act: delegateInBackground },
  { name: "stop", share: 3, act: stop },
  { name: "stop a tree", share: 2, act: stopTree },
  { name: "prompt twice", share: 2, act: promptTwice },
  { name: "undo and redo", share: 2, act: undoAndRedo },
  { name: "share", share: 2, act: share },
  { name: "look around", share: 5, act: lookAround },
  { name: "keep todos", share: 3, act: keepTodos },
  { name: "keep notes", share: 1, act: keepNotes },
  { name: "remove", share: 2, act: remove },
]

async function ask(person: Person): Promise<void> {
  await prompt(person, await someSession(person), { latency: 20, chunks: 200 })
}

async function workWithTools(person: Person): Promise<void> {
  const name = `draft-${Math.floor(person.random() * 1_000_000)}.txt`
  const write: Plan = { call: { name: "write", args: { filePath: name, content: "One line.\n".repeat(50) } } }
  for (const plan of [read, list, write]) {
    await prompt(person, await someSession(person), { ...plan, latency: 10, steps: 2 })
  }
}

async function delegate(person: Person): Promise<void> {
  const plan = { children: 3, childPrompt: toPrompt({ id: "soak-child", ...child }) }
  await prompt(person, await newSession(person), plan)
}

async function delegateInBackground(person: Person): Promise<void> {
  const args = { agent: "explore", description: "Look at the notes", prompt: toPrompt({ id: "soak-child", ...child }) }
  await prompt(person, await newSession(person), { call: { name: "async_task", args }, steps: 2 })
}

async function stop(person: Person): Promise<void> {
  const sessionID = await someSession(person)
  const turn = prompt(person, sessionID, { ...list, latency: 100, steps: 5, chunks: 2_000 })
  await delay(person.random() * 600)
  await person.client.session.abort.mutate({ sessionID })
  await turn
}

async function stopTree(person: Person): Promise<void> {
  const sessionID = await newSession(person)
  const childPrompt = toPrompt({ id: "soak-child", ...list, latency: 100, steps: 5 })
  const turn = prompt(person, sessionID, { children: 4, childPrompt })
  await delay(person.random() * 1_000)
  await person.client.session.abort.mutate({ sessionID })
  await turn
}

async function promptTwice(person: Person): Promise<void> {
  const sessionID = await someSession(person)
  await Promise.all([prompt(person, sessionID, { latency: 50 }), prompt(person, sessionID, { ...read, steps: 1 })])
}

async function undoAndRedo(person: Person): Promise<void> {
  const { client } = person
  const sessionID = await newSession(person)
  const file = { filePath: `undone-${sessionID}.txt`, content: "Soon gone.\n" }
  await prompt(person, sessionID, { call: { name: "write", args: file }, steps: 1 })
  const { items } = await client.session.messages.query({ sessionID })
  const messageID = items.find(({ info }) => info.role === "user")?.info.id
  if (messageID === undefined) return
  await client.session.revert.mutate({ sessionID, messageID })
  if (person.random() < 0.5) await client.session.unrevert.mutate({ sessionID })
  else await prompt(person, sessionID, {})
}

async function share(person: Person): Promise<void> {
  const { client } = person
  const rootID = await someSession(person)
  const { id, url } = await client.share.create.mutate({ rootID })
  const address = `${person.url}/api/share/${url.split("/").at(-1)}`
  const closed = new AbortController()
  await (await fetch(address)).json()
  const stream = await fetch(`${address}/events`, { signal: closed.signal })
  const reading = stream.text().catch(() => "")
  await prompt(person, rootID, { chunks: 50 })
  await client.share.revoke.mutate({ shareID: id })
  closed.abort()
  await reading
  const gone = await fetch(address)
  await gone.text()
  if (gone.status !== 404) throw new Error(`a revoked link answers ${gone.status}`)
}

async function lookAround(person: Person): Promise<void> {
  const { client, projectID } = person
  await client.session.list.query({ projectID })
  const sessionID = await someSession(person)
  const closed = new AbortController()
  const live = Promise.withResolvers<void>()
  subscribeTree(client, {
    sessionID,
    signal: closed.signal,
    onEvent: () => {},
    onState: (state) => state === "live" && live.resolve(),
    onError: live.reject,
  })
  await Promise.all([
    live.promise,
    client.session.tree.query({ sessionID }),
    client.session.messages.query({ sessionID, limit: 200 }),
    client.todo.tree.query({ sessionID }),
    client.task.list.query({ sessionID }),
    client.config.get.query({ projectID }),
    client.provider.list.query({ projectID }),
  ])
  closed.abort()
}

async function keepTodos(person: Person): Promise<void> {
  const { client } = person
  const sessionID = person.random() < 0.5 ? await someSession(person) : null
  const { id } = await client.todo.create.mutate({ sessionID, content: "Look at the figures" })
  await client.todo.update.mutate({ todo: id, status: "in_progress" })
  await client.todo.update.mutate({ todo: id, status: "completed" })
  if (person.random() < 0.7) await client.todo.remove.mutate({ todo: id })
}

async function keepNotes({ client, projectID }: Person): Promise<void> {
  const { id } = await client.memory.create.mutate({ projectID, type: "project", title: "Soak", content: "A note." })
  await client.memory.search.query({ projectID, q: "note" })
  await client.memory.remove.mutate({ memory: id })
  const schedule = await client.schedule.create.mutate({ projectID, when: "daily", message: "Say hello" })
  await client.schedule.remove.mutate({ schedule: schedule.id })
}

async function remove(person: Person): Promise<void> {
  const [oldest] = person.sessions.splice(0, Math.max(1, person.sessions.length - keptSessions))
  if (oldest === undefined) return
  // Half of them are removed while they work.
  const turn = person.random() < 0.5 ? prompt(person, oldest, { ...list, latency: 50, steps: 3 }) : null
  await delay(person.random() * 100)
  await person.client.session.remove.mutate({ sessionID: oldest })
  await turn?.catch(() => {})
}

async function newSession(person: Person): Promise<string> {
  const { id } = await person.client.session.create.mutate({ projectID: person.projectID })
  person.sessions.push(id)
  return id
}

async function someSession(person: Person): Promise<string> {
  const known = person.sessions[Math.floor(person.random() * person.sessions.length)]
  return known === undefined || person.random() < 0.3 ? await newSession(person) : known
}

/** Resolves when the turn has ended in any way: the provider fails sometimes. */
async function prompt({ client }: Person, sessionID: string, plan: Plan): Promise<void> {
  const text = toPrompt({ id: "soak", ...plan })
  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text }] })
}
