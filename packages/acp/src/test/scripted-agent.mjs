// An agent that does what a prompt says: its last text is a list of acts (JSON). The first argument names a file in which it
// notes what it is asked; the second what it is able to do, as words.
import { spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { appendFileSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { Readable, Writable } from "node:stream"
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk/unstable"

const [log = "", words = ""] = process.argv.slice(2)
const able = new Set(words.split(","))
const noted = new EventEmitter()
const note = (what) => {
  if (typeof what === "object") for (const [name, value] of Object.entries(what)) noted.emit(`${name} ${value}`)
  if (log !== "") appendFileSync(log, `${JSON.stringify(what)}\n`)
}

let isSignedIn = !able.has("sign-in")
let stop = new AbortController()
const settings = {
  modes: { currentModeId: "auto", availableModes: ["auto", "default", "plan"].map((id) => ({ id, name: id })) },
  configOptions: [
    {
      ...{ type: "select", id: "model", name: "Model", category: "model", currentValue: "small" },
      options: ["small", "large"].map((value) => ({ value, name: value })),
    },
  ],
}

const app = agent({ name: "scripted-agent" })
  .onRequest(methods.agent.initialize, ({ params }) => {
    note({ initialize: params.clientCapabilities })
    return {
      ...(able.has("tree") && { _meta: { "opencode.dev/subagents": { version: 1, list: true, subscribe: true } } }),
      protocolVersion: 1,
      agentInfo: { name: "scripted", version: "1.2.3" },
      agentCapabilities: {
        loadSession: able.has("load"),
        promptCapabilities: { image: true },
        sessionCapabilities: able.has("resume") ? { resume: {} } : {},
      },
      authMethods: able.has("sign-in")
        ? [
            { id: "browser", name: "Sign in with a browser" },
            ...(able.has("no-key") ? [] : [{ id: "scripted-api-key", name: "Use an API key" }]),
          ]
        : [],
    }
  })
  .onRequest(methods.agent.authenticate, ({ params }) => {
    note({ authenticate: params.methodId })
    isSignedIn = true
    return {}
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (!isSignedIn) throw RequestError.authRequired()
    note({ new: params.cwd, env: process.env.AGENT_KEY })
    return { sessionId: `conversation-${process.pid}`, ...settings }
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    if (able.has("forgets")) throw RequestError.resourceNotFound(params.sessionId)
    note({ resume: params.sessionId })
    return settings
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    note({ load: params.sessionId })
    await say(client, params.sessionId, "All of this was said before.")
    note({ loaded: params.sessionId })
    return settings
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    note({ mode: params.modeId })
    return {}
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    note({ [params.configId]: params.value })
    return { configOptions: settings.configOptions }
  })
  .onRequest(
    "_opencode/subagents/subscribe",
    (params) => params,
    ({ params }) => {
      note({ subscribe: params.rootSessionId })
      return { generation: "1", revision: 0, nodes: [] }
    },
  )
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    if (!params.sessionId.startsWith("conversation-")) return note({ cancel: params.sessionId })
    note("cancel")
    if (!able.has("deaf")) stop.abort()
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    note({ prompt })
    stop = new AbortController()
    const text = prompt.findLast(({ type }) => type === "text").text
    const acts = text.startsWith("[") ? JSON.parse(text) : [{ say: "Told." }]
    for (const act of acts) {
      await perform(act, { sessionId, client })
      if (stop.signal.aborted) return { stopReason: "cancelled" }
    }
    const [usage] = acts.flatMap((act) => act.usage ?? [])
    const [stopReason = "end_turn"] = acts.flatMap((act) => act.end ?? [])
    return { stopReason, ...(usage && { usage }) }
  })

function update(client, sessionId, change) {
  return client.notify(methods.client.session.update, { sessionId, update: change })
}

function say(client, sessionId, text, kind = "agent_message_chunk") {
  return update(client, sessionId, { sessionUpdate: kind, content: { type: "text", text } })
}

/** The options that an agent offers with a question, by their kinds. */
const offered = (kinds) => kinds.map((kind) => ({ optionId: `option-${kind}`, kind, name: kind }))

async function perform(act, { sessionId, client }) {
  const [[name, given]] = Object.entries(act)
  switch (name) {
    case "say":
      return say(client, sessionId, given)
    case "think":
      return say(client, sessionId, given, "agent_thought_chunk")
    case "update":
      return update(client, sessionId, given)
    case "call":
      return update(client, sessionId, { sessionUpdate: "tool_call_update", ...given })
    case "ask": {
      const { kinds = ["allow_once", "reject_once"], session = sessionId, ...toolCall } = given
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        ...{ sessionId: session, toolCall, options: offered(kinds) },
      })
      note({ outcome: outcome.optionId ?? outcome.outcome })
      const status = outcome.optionId?.startsWith("option-allow") ? "completed" : "failed"
      const { toolCallId } = toolCall
      return update(client, session, { sessionUpdate: "tool_call_update", toolCallId, status })
    }
    case "edit":
      return writeFileSync(given.path, given.content)
    case "look":
      return say(client, sessionId, existsSync(given) ? "It is there." : "It is not there.")
    case "link":
      rmSync(given.path)
      return symlinkSync(given.to, given.path)
    case "read":
      return answered(() => client.request(methods.client.fs.readTextFile, { sessionId, ...given }))
    case "write":
      return answered(() => client.request(methods.client.fs.writeTextFile, { sessionId, ...given }))
    case "run":
      return answered(async () => {
        const { shown, ...command } = given
        const { terminalId } = await client.request(methods.client.terminal.create, { sessionId, ...command })
        if (shown !== undefined) {
          const content = [{ type: "terminal", terminalId }]
          await update(client, sessionId, { sessionUpdate: "tool_call_update", toolCallId: shown, content })
        }
        const exit = await client.request(methods.client.terminal.waitForExit, { sessionId, terminalId })
        const output = await client.request(methods.client.terminal.output, { sessionId, terminalId })
        await client.request(methods.client.terminal.release, { sessionId, terminalId })
        return { ...output, exit }
      })
    case "frame": {
      // `$own` stands for the conversation of the prompt.
      const text = JSON.stringify({ jsonrpc: "2.0", ...given }).replaceAll("$own", sessionId)
      return new Promise((resolve) => process.stdout.write(`${text}\n`, resolve))
    }
    case "repeat":
      // `$n` in the act counts.
      for (let n = 0; n < given.count; n++)
        await perform(JSON.parse(JSON.stringify(given.act).replaceAll("$n", n)), { sessionId, client })
      return
    case "deep": {
      // Written as text, because it is too deep to be made of a value.
      const [[key, levels]] = Object.entries(given)
      const call = { sessionUpdate: "tool_call", toolCallId: "deep", title: "Deep", kind: "other", [key]: { a: 0 } }
      const frame = { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: call } }
      const text = JSON.stringify(frame).replace('{"a":0}', `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`)
      return new Promise((resolve) => process.stdout.write(`${text}\n`, resolve))
    }
    case "until":
      return once(noted, given)
    case "raw":
      return new Promise((resolve) => process.stdout.write(`${given}\n`, resolve))
    case "long":
      return new Promise((resolve) => process.stdout.write(`${"x".repeat(given)}\n`, resolve))
    case "stderr":
      return new Promise((resolve) => process.stderr.write(`${given}\n`, resolve))
    case "flood":
      for (let n = 0; n < given; n++) await say(client, sessionId, "x".repeat(100_000))
      return
    case "children":
      // In groups of their own, as agents start the programs of their tools.
      for (let n = 0; n < given; n++) spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref()
      return
    case "throw":
      throw new RequestError(-32603, "Internal error", given)
    case "die":
      process.kill(process.pid, "SIGKILL")
      return new Promise(() => {})
    case "end":
    case "usage":
      return
    case "wait":
      await say(client, sessionId, given)
      return new Promise((resolve) => stop.signal.addEventListener("abort", resolve, { once: true }))
  }
}

async function answered(work) {
  try {
    note({ answer: await work() })
  } catch (error) {
    note({ refused: error.message })
  }
}

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
