import { readFile } from "node:fs/promises"
import { createDocketClient, createTreeStore } from "@docket/client"

const [url = "http://127.0.0.1:4180", tokenFile = "", directory = process.cwd()] = process.argv.slice(2)
const client = createDocketClient({ url, token: (await readFile(tokenFile, "utf8")).trim() })

const project = await client.project.open.mutate({ directory })
const session = await client.session.create.mutate({ projectID: project.id })
const tree = createTreeStore(client, { sessionID: session.id })
await tree.open(session.id)
tree.subscribe(() => {
  const messages = tree.get().tree?.transcripts[session.id]?.messages.length ?? 0
  process.stderr.write(`${tree.get().connection}, ${messages} messages\n`)
})

const turn = await client.session.prompt.mutate({ sessionID: session.id, parts: [{ type: "text", text: "Say hello" }] })
const { items } = await client.session.messages.query({ sessionID: session.id })
const answer = items
  .at(-1)
  ?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  .join("")
process.stdout.write(`${turn.status}: ${answer}\n`)
tree.close()
