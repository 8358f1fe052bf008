import { argv, cwd, env, stderr } from "node:process"
import { createOpencodeClient } from "@opencode-ai/sdk/v2"

const [directory = cwd()] = argv.slice(2)
const { OPENCODE_URL: baseUrl = "http://127.0.0.1:4096", OPENCODE_SERVER_PASSWORD: password = "" } = env
const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`
const client = createOpencodeClient({ baseUrl, directory, headers: { authorization }, throwOnError: true })
const text = (words) => [{ type: "text", text: words }]
const textOf = ({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")

const { data: session } = await client.session.create({ title: "A script" })
const report = { pieces: 0, permissions: [] }

// Events: the answer while it is written, and what the agent asks about.
const answers = new Set()
const written = new Map()
const stop = new AbortController()
const { stream } = await client.event.subscribe(undefined, { signal: stop.signal })
const connected = Promise.withResolvers()
const idle = Promise.withResolvers()
const working = Promise.withResolvers()
const following = (async () => {
  for await (const { type, properties } of stream) {
    if (type === "server.connected") connected.resolve()
    if (type === "session.status" && properties.sessionID !== session.id && properties.status.type === "busy")
      working.resolve()
    if (properties.sessionID !== session.id) continue
    if (type === "session.idle") idle.resolve()
    if (type === "message.updated" && properties.info.role === "assistant") answers.add(properties.info.id)
    if (type === "message.part.updated" && properties.part.type === "text" && answers.has(properties.part.messageID))
      written.set(properties.part.id, properties.part.text)
    if (type === "message.part.delta" && properties.field === "text") {
      stderr.write(properties.delta)
      written.set(properties.partID, (written.get(properties.partID) ?? "") + properties.delta)
      report.pieces += 1
    }
    if (type === "permission.asked") {
      report.permissions.push(...properties.patterns)
      await client.permission.reply({ requestID: properties.id, reply: "once" })
    }
  }
})()
await connected.promise

const { data: answer } = await client.session.prompt({ sessionID: session.id, parts: text("Make a plan") })
report.answer = textOf(answer)
await idle.promise
report.streamed = [...written.values()].join("")
const { data: todos } = await client.session.todo({ sessionID: session.id })
report.todos = todos.map(({ content, status }) => [content, status])

// A child that works until it is stopped.
const { data: child } = await client.session.create({ parentID: session.id, title: "Look around" })
await client.session.promptAsync({ sessionID: child.id, agent: "explore", parts: text("Look for ever") })
await working.promise
const { data: children } = await client.session.children({ sessionID: session.id })
report.children = children.map(({ title }) => title)
await client.session.abort({ sessionID: child.id })
const { data: status } = await client.session.status()
report.childStatus = status[child.id]?.type ?? "idle"

const { data: messages } = await client.session.messages({ sessionID: session.id })
const { data: fork } = await client.session.fork({ sessionID: session.id, messageID: messages.at(-1).info.id })
const { data: copied } = await client.session.messages({ sessionID: fork.id })
report.fork = { title: fork.title, messages: copied.length, of: messages.length }

stop.abort()
await following.catch(() => undefined)
console.log(JSON.stringify(report))
