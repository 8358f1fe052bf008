import { expect, test } from "vitest"
import type { PromptPart, Session } from "../ground/schema/index.ts"
import { localCaller } from "../test/as-local.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime } from "../test/scripted-runtime.ts"

const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const hosted = () => scriptedRuntime((call) => answer(`You said ${lastUserText(call)}.`))

async function prompted(host: ScriptedRuntime, ...parts: PromptPart[]) {
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  return host.runtime.prompt.wait(turn.id)
}

async function textsOf(host: ScriptedRuntime, { id }: Pick<Session, "id">) {
  const { items } = await host.messages(id)
  return items.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join())
}

test("a fork leaves out what was undone, todos and what was allowed", async () => {
  await using host = await hosted()
  const { runtime, session } = host
  for (const words of ["one", "two"]) await host.prompt(words)
  await runtime.todo.create({ sessionID: session.id, content: "Look" }, { actor: { kind: "user", name: "user" } })
  await runtime.session.setPreset(session.id, "edit")
  const { items } = await host.messages()
  await runtime.session.revert(session.id, items[2]?.info.id ?? "")
  const fork = await runtime.session.fork(session.id, {})
  expect(await textsOf(host, fork)).toEqual(["one", "You said one."])
  expect(await runtime.todo.list(fork.id)).toEqual([])
  expect(await runtime.session.get(fork.id)).toMatchObject({ rootID: fork.id, depth: 0, cost: 0, by: localCaller })
  expect(fork.preset).toBeUndefined()
  expect((await runtime.session.get(session.id)).revert).not.toBeNull()
})

test("a fork has its own pictures after its original is removed", async () => {
  await using host = await hosted()
  const { runtime, session } = host
  await prompted(
    host,
    { type: "text", text: "See" },
    { type: "file", mime: "image/png", url: png, filename: "dot.png" },
  )
  const fork = await runtime.session.fork(session.id, {})
  await runtime.session.remove(session.id)
  const { items } = await host.messages(fork.id)
  const file = items.flatMap(({ parts }) => parts).find((part) => part.type === "file")
  const hash = /^attachment:(\w+)$/.exec(file?.type === "file" ? file.url : "")?.[1] ?? ""
  const { row, bytes } = await runtime.attachment.read(fork.id, hash)
  expect(row).toMatchObject({ mime: "image/png", name: "dot.png", sessionID: fork.id })
  expect(png.endsWith(bytes.toString("base64"))).toBe(true)
})

test("a repeated request for a fork finds the first one", async () => {
  await using host = await hosted()
  await host.prompt("one")
  const caller = host.runtime.as(localCaller, "a-key")
  const first = await caller.session.fork({ sessionID: host.session.id })
  expect((await caller.session.fork({ sessionID: host.session.id })).id).toBe(first.id)
  expect(await textsOf(host, first)).toHaveLength(2)
})

test("a fork of a private session stays private, and restrictions stay", async () => {
  await using host = await hosted()
  const { runtime, session } = host
  const source = await runtime.session.create({
    ...{ projectID: session.projectID, visibility: "author", title: "Mine (fork #9)" },
    tools: { bash: false },
  })
  const fork = await runtime.session.fork(source.id, {})
  expect(fork).toMatchObject({ visibility: "author", title: "Mine (fork #10)", tools: [{ bash: false }] })
  const long = await runtime.session.create({ projectID: session.projectID, title: "x".repeat(200) })
  const { title } = await runtime.session.fork(long.id, {})
  expect([title.length, title.slice(-12)]).toEqual([200, "x (fork #1)".padStart(12, "x")])
})

test("a fork of a task's session or before unknown messages is refused", async () => {
  await using host = await hosted()
  const { runtime, session } = host
  const missing = `msg_${"0".repeat(26)}`
  await expect(runtime.session.fork(session.id, { messageID: missing })).rejects.toThrow(missing)
  const child = await runtime.session.createChild(session.id, { title: "Child" })
  await expect(runtime.session.fork(child.id, {})).rejects.toThrow(session.id)
})
