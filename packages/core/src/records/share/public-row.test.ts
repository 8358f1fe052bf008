import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { rejectionWords } from "../../ground/message/rejection.ts"
import { attachmentAddress, type Message, type Part, Share, type Task } from "../../ground/schema/index.ts"
import { taskSummary } from "../../ground/store/index.ts"
import { newSession } from "../../test/entities.ts"
import { pngOf } from "../../test/pictures.ts"
import { publicRow } from "./public-row.ts"

const createID = createIdSource()
const session = newSession(createID, { directory: "/home/alice/work" })
const share = Share.parse({
  id: createID("share"),
  rootID: session.id,
  secretHash: "0".repeat(64),
  time: { created: 1, revoked: null },
})
const showsAll = { ...share, shows: { outputs: true, reasoning: true, files: true, pictures: false } }
const by = { person: "ada", workspace: "acme" }

test("readers of a share do not see people, permissions or directories", () => {
  const notes = [{ id: "n", text: "for the agent" }]
  const rules = [{ permission: "bash", pattern: "*", action: "ask" as const }]
  const value = { ...session, by, notes, permission: rules, read: { ada: 1 } }
  const told = JSON.stringify(publicRow({ kind: "session", value }, share))
  for (const own of ["ada", "for the agent", "bash", "/home"]) expect(told).not.toContain(own)
})

test("only readers with outputs see what a model wrote of the changes", () => {
  const model = { providerID: "p", modelID: "m" }
  const value = { ...session, described: { title: "Add a file", text: "I added a.txt.", model, at: 1, by } }
  const shown = (outputs: boolean) =>
    publicRow({ kind: "session", value }, { ...share, shows: { ...share.shows, outputs } })
  expect(shown(true)).toMatchObject({ described: { title: "Add a file", text: "I added a.txt." } })
  expect(JSON.stringify(shown(true))).not.toContain("ada")
  expect(JSON.stringify(shown(false))).not.toContain("a.txt")
  expect(shown(false)).not.toHaveProperty("described")
})

test("readers of a share do not get a prompt's system text", () => {
  const value: Message = {
    ...{ id: createID("message"), sessionID: session.id, role: "user", agent: "build", by },
    ...{ model: { providerID: "p", modelID: "m" }, system: "Our client is Acme.", time: { created: 1 } },
  }
  const told = publicRow({ kind: "message", value }, share)
  expect(told).toMatchObject({ id: value.id, role: "user" })
  expect(JSON.stringify(told)).not.toMatch(/Acme|ada/)
})

test("readers of a share do not get the value of an answer", () => {
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  const value: Message = {
    ...{
      id: createID("message"),
      sessionID: session.id,
      role: "assistant",
      agent: "build",
      parentID: createID("message"),
    },
    ...{
      model: { providerID: "p", modelID: "m" },
      finish: "stop",
      error: null,
      cost: 0,
      tokens,
      output: { key: "s3cr3t" },
    },
    time: { created: 1, completed: 2 },
  }
  expect(publicRow({ kind: "message", value }, share)).toMatchObject({ id: value.id, finish: "stop" })
  expect(JSON.stringify(publicRow({ kind: "message", value }, share))).not.toContain("s3cr3t")
})

test("readers of a share see a child's wait, but not its request", () => {
  const answer = { status: "once" as const, asked: "rm -rf build", by }
  // Only the fields about the end and the waits matter here.
  const task = { by, result: null, resultPath: "/data/x", moments: [{ kind: "wait", from: 1, until: 2, answer }] }
  const value = taskSummary(task as unknown as Task)
  expect(publicRow({ kind: "task", value }, share)).toMatchObject({
    resultPath: null,
    moments: [{ kind: "wait", from: 1, until: 2 }],
  })
  expect(JSON.stringify(publicRow({ kind: "task", value }, share))).not.toMatch(/ada|rm -rf/)
})

test("readers of a share see that a review happened, not its text", () => {
  const place = { id: createID("part"), sessionID: session.id, messageID: createID("message") }
  const comments = [{ id: "cmt", task: null, place: "secret.ts, line 3", quote: "foo", text: "our client hates this" }]
  const notice = { kind: "review" as const, sendingID: "s", verdicts: [], comments }
  const sent = { ...place, type: "text" as const, text: "1. our client hates this", synthetic: true, notice }
  const error = `The subagent failed: ${rejectionWords}: our client\n\nhates this\n\n<partial_result>\nhalf\n</partial_result>`
  const call = {
    ...place,
    type: "tool" as const,
    callID: "c",
    tool: "task",
    state: { status: "error" as const, input: {}, error, metadata: {}, time: { start: 1, end: 2 } },
  }
  const own = { ...place, type: "text" as const, text: `I hear: ${rejectionWords}: for reasons` }
  const rejected = { result: null, error: { type: "rejected", message: `${rejectionWords}: our client hates this` } }
  const rows = [
    publicRow({ kind: "part", value: sent }, share),
    publicRow({ kind: "part", value: call }, share),
    publicRow({ kind: "task", value: taskSummary(rejected as unknown as Task) }, share),
  ]
  expect(JSON.stringify(rows)).not.toMatch(/client|hates|secret\.ts/)
  expect(JSON.stringify(rows)).toContain("half")
  expect(publicRow({ kind: "part", value: own }, share)).toMatchObject({ text: own.text })
})

test("readers without outputs do not see a prompt command's result", () => {
  const place = { id: createID("part"), sessionID: session.id, messageID: createID("message"), type: "text" as const }
  const notice = { kind: "command" as const, name: "state", origin: "project" as const, state: "done" as const }
  const came = { ...place, text: "On branch secret-client", synthetic: true, notice }
  const typed = { ...place, text: "/state" }
  const shows = { ...share.shows, outputs: false }
  expect(publicRow({ kind: "part", value: came }, { ...share, shows })).toBeNull()
  expect(publicRow({ kind: "part", value: typed }, { ...share, shows })).toEqual(typed)
  expect(publicRow({ kind: "part", value: came }, share)).toEqual(came)
})

test("readers without outputs do not see a command's task for its subagent", () => {
  const place = { id: createID("part"), sessionID: session.id, messageID: createID("message") }
  const prompt = "On branch secret-client"
  const subtask = {
    ...place,
    type: "subtask" as const,
    prompt,
    description: "State",
    agent: "general",
    command: "state",
  }
  const input = { prompt, description: "State", subagent_type: "general", command: "state" }
  const time = { start: 1, end: 2 }
  const call = { ...place, type: "tool" as const, callID: "c", tool: "task" }
  const states = [
    { status: "pending" as const, input, raw: JSON.stringify(input) },
    { status: "running" as const, input, metadata: {}, time: { start: 1 } },
    { status: "completed" as const, input, output: "Clean.", title: "State", metadata: {}, time },
    { status: "error" as const, input, error: "No.", metadata: {}, time },
  ]
  const told = { ...place, type: "text" as const, text: prompt, command: "state" }
  const parts = [subtask, told, ...states.map((state) => ({ ...call, state }))]
  const shows = { ...share.shows, outputs: false }
  const rows = parts.map((value) => publicRow({ kind: "part", value }, { ...share, shows }))
  expect(JSON.stringify(rows)).not.toContain("secret-client")
  expect(JSON.stringify(rows)).toContain("Clean.")
  for (const value of parts) expect(JSON.stringify(publicRow({ kind: "part", value }, share))).toContain(prompt)
  const { command: _, ...own } = subtask
  expect(publicRow({ kind: "part", value: own }, { ...share, shows })).toEqual(own)
})

test("readers of a share do not see who stopped or allowed work", () => {
  const by = { person: "ada", workspace: "acme", name: "Ada Lovelace" }
  const place = { id: createID("part"), sessionID: session.id, messageID: createID("message") }
  const error = { name: "AbortedError" as const, message: "Stopped.", statusCode: null, retryable: false, by }
  // Only the fields about the end matter here.
  const answer = { role: "assistant", error } as unknown as Message
  const cancelled = { result: null, error: { type: "cancelled", message: "The task was cancelled.", by }, cause: by }
  const state = { status: "completed" as const, input: {}, output: "", title: "", time: { start: 1, end: 2 } }
  const leave = { status: "once", by: by.person, byName: by.name }
  const call = { ...place, type: "tool" as const, callID: "c" }
  const rows = [
    publicRow({ kind: "message", value: answer }, share),
    publicRow({ kind: "task", value: taskSummary(cancelled as unknown as Task) }, share),
    ...[{ leave }, { by: by.person, byName: by.name }].map((metadata) =>
      publicRow({ kind: "part", value: { ...call, tool: "question", state: { ...state, metadata } } }, share),
    ),
    publicRow({ kind: "part", value: { ...call, tool: "bash", state: { ...state, metadata: { leave } } } }, showsAll),
    // The file's path on the machine is stored only for a restart.
    publicRow(
      {
        kind: "part",
        value: { ...call, tool: "edit", state: { ...state, metadata: { writing: { path: "/home/ada" } } } },
      },
      showsAll,
    ),
  ]
  expect(JSON.stringify(rows)).not.toMatch(/"ada"|Lovelace|\/home/)
  expect(JSON.stringify(rows)).toContain("Stopped.")
})

const picture = { mime: "image/png", url: attachmentAddress("a".repeat(64)), filename: "a.png", size: 9 }
const place = { id: createID("part"), sessionID: session.id, messageID: createID("message") }

function shownFiles(files: (typeof picture)[], shows: Partial<Share["shows"]>): unknown {
  const state = {
    status: "completed",
    input: {},
    output: "Seen.",
    attachments: files,
    title: "",
    metadata: {},
  } as const
  const call = { type: "tool", callID: "c", tool: "read", state: { ...state, time: { start: 1, end: 2 } } } as const
  const parts: Part[] = [{ ...place, ...call }, ...files.map((file) => ({ ...place, type: "file" as const, ...file }))]
  const chosen = { ...showsAll, shows: { ...showsAll.shows, ...shows } }
  return parts.map((value) => publicRow({ kind: "part", value }, chosen))
}

test("a share leaves pictures out unless its maker includes them", () => {
  const left = { filename: "a.png", url: "left-out:" }
  expect(shownFiles([picture], {})).toMatchObject([{ state: { output: "Seen.", attachments: [left] } }, left])
  expect(shownFiles([picture], { pictures: true })).toMatchObject([{ state: { attachments: [picture] } }, picture])
  const hidden = shownFiles([picture], { pictures: true, outputs: false, files: false })
  expect(JSON.stringify(hidden)).not.toContain("a.png")
})

test("a share shows short texts, and never files that no scan reads", () => {
  const inRow = { ...picture, mime: "text/plain", url: "data:text/plain,words" }
  const kept = { ...picture, mime: "text/plain" }
  const old = { ...picture, url: toDataUrl("image/png", pngOf(2, 2)) }
  const lying = { ...old, mime: "text/plain" }
  const [call] = shownFiles([inRow, kept, old, lying], {}) as [{ state: { attachments: { url: string }[] } }]
  const left = "left-out:"
  expect(call.state.attachments.map(({ url }) => url)).toEqual([inRow.url, left, left, left])
})
