import { readFile } from "node:fs/promises"
import { createDocketClient, createTreeStore, type Todo, type TreeState } from "@docket/client"

const [url, tokenFile, wanted] = process.argv.slice(2)
if (!url || !tokenFile) {
  process.stderr.write("Usage: npm start -- URL TOKEN_FILE [SESSION]\n")
  process.exit(2)
}

const client = createDocketClient({ url, token: (await readFile(tokenFile, "utf8")).trim() })
const sessionID = wanted ?? (await newestSession())
const tree = createTreeStore(client, { sessionID })
let printed = ""

tree.subscribe(() => {
  const { tree: state, connection, error } = tree.get()
  if (error !== null) return stop(error.message)
  if (state?.removed) return stop("The session was removed.")
  if (connection === "reconnecting") process.stderr.write("reconnecting\n")
  const text = state === null ? printed : describe(state)
  if (text === printed) return
  printed = text
  process.stdout.write(`${text}\n`)
})
process.once("SIGINT", () => tree.close())
process.once("SIGTERM", () => tree.close())

async function newestSession(): Promise<string> {
  const { items } = await client.session.list.query({ limit: 1 })
  const [newest] = items
  if (newest === undefined) throw new Error("There is no session yet. Begin one, then watch it.")
  return newest.session.id
}

function stop(reason: string): void {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
  tree.close()
}

/** Each session of the tree that has todos: its title, and what is done. */
function describe({ sessions, todos }: TreeState): string {
  return Object.values(sessions)
    .map(({ id, title }) => ({ title, list: todos[id] ?? [] }))
    .filter(({ list }) => list.length > 0)
    .map(({ title, list }) => [`${title}: ${done(list)} of ${list.length}`, ...list.map(line)].join("\n"))
    .join("\n\n")
}

function done(list: readonly Todo[]): number {
  return list.filter(({ status }) => status === "completed").length
}

function line({ content, status }: Todo): string {
  const marks: Record<Todo["status"], string> = { pending: " ", in_progress: "…", completed: "x", cancelled: "-" }
  return `  [${marks[status]}] ${content}`
}
