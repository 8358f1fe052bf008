import { expect, test } from "vitest"
import { newId, userMessage } from "../../contract/rows.ts"
import { bytesOf, project, transfersOver } from "../../contract/transfer-contract.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { filesOf } from "../../ground/message/part-files.ts"
import type { PromptPart, SessionFile } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Mutation } from "../../ground/store/index.ts"
import { keptInMemory } from "../../test/kept-in-memory.ts"
import { pngOf } from "../../test/pictures.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { contentHash } from "../attachment/content-files.ts"
import { takeContents } from "./file-contents.ts"
import type { ExportOptions } from "./transfer-service.ts"

const picture = pngOf(30, 20)
const long = Buffer.from("a line of a log\n".repeat(10_000))

async function exported({ runtime, session }: ScriptedRuntime, options: Partial<ExportOptions> = {}) {
  let text = ""
  const pieces = await runtime.transfer.export(session.id, { format: "json", sanitize: false, ...options })
  for await (const piece of pieces) text += piece
  return text
}

/** A session whose prompt has a picture and a long text. */
async function seenSession(): Promise<ScriptedRuntime> {
  const host = await scriptedRuntime(() => answer("Seen."))
  const parts: PromptPart[] = [
    { type: "text", text: "Look" },
    { type: "file", mime: "image/png", url: toDataUrl("image/png", picture), filename: "a.png" },
    { type: "file", mime: "text/plain", url: toDataUrl("text/plain", long), filename: "log.txt" },
  ]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  await host.runtime.prompt.wait(turn.id)
  return host
}

/** Imports into an empty store, and reads the files of the session there. */
async function imported(file: object) {
  const store = createInMemoryStore()
  const attachments = keptInMemory(store)
  const { sessionID } = await transfersOver(store, { attachments }).import(bytesOf(file), { projectID: project.id })
  const { items } = await store.transcript.page({ sessionID, limit: 10 })
  const files = items.flatMap(({ parts }) => parts).flatMap(filesOf)
  const bytesOfHash = async (bytes: Buffer) => (await attachments.read(sessionID, contentHash(bytes)))?.bytes
  return { files, rows: await store.attachment.list(), bytesOfHash, data: JSON.stringify(items) }
}

test("an exported file carries contents, and an import keeps them", async () => {
  await using host = await seenSession()
  const file: SessionFile = JSON.parse(await exported(host))
  expect(file.attachments?.map(({ hash }) => hash).sort()).toEqual([contentHash(picture), contentHash(long)].sort())
  const { files, rows, bytesOfHash } = await imported(file)
  expect(files).toMatchObject([{ width: 30, height: 20, filename: "a.png" }, { size: long.length }])
  expect(rows).toHaveLength(2)
  expect(await bytesOfHash(picture)).toEqual(picture)
  expect(await bytesOfHash(long)).toEqual(long)
})

test("a sanitized file has no contents", async () => {
  await using host = await seenSession()
  const text = await exported(host, { sanitize: true })
  expect(text).not.toContain(picture.toString("base64").slice(20, 60))
  expect(JSON.parse(text)).not.toHaveProperty("attachments")
})

test("a content that is not what its hash says refuses the file", async () => {
  await using host = await seenSession()
  const file: SessionFile = JSON.parse(await exported(host))
  Object.assign(file.attachments?.[0] ?? {}, { data: pngOf(5, 5).toString("base64") })
  await expect(imported(file)).rejects.toThrow("the content of a.png is not what its hash says")
})

test("of six thousand contents of a file five thousand are taken", async () => {
  await using host = await seenSession()
  const file: SessionFile = JSON.parse(await exported(host))
  const [message] = file.sessions[0]?.messages ?? []
  const named = message?.parts.find(({ type }) => type === "file")
  if (message === undefined || named?.type !== "file") throw new Error("The prompt has no file.")
  for (let at = 0; at < 6_000; at++)
    message.parts.push({
      ...named,
      id: newId("part"),
      mime: "application/x-tiny",
      url: `data:application/x-tiny,${at}`,
    })
  const { contents } = await takeContents({ ...file, attachments: [] }, Date.now)
  expect(contents).toHaveLength(5_000)
  expect(contents.every(({ sessionIDs }) => sessionIDs.length === 1)).toBe(true)
})

test("contents in the rows of an older file are kept", async () => {
  await using host = await seenSession()
  const { attachments: _, ...old }: SessionFile = JSON.parse(await exported(host))
  const text = JSON.stringify(old).replaceAll(`attachment:${contentHash(picture)}`, toDataUrl("image/png", picture))
  const { files, bytesOfHash, data } = await imported(JSON.parse(text))
  expect(files[0]).toMatchObject({ url: `attachment:${contentHash(picture)}`, width: 30 })
  expect(await bytesOfHash(picture)).toEqual(picture)
  expect(data).not.toContain("base64")
})

test("facts and hashes that a file invents count for nothing", async () => {
  await using host = await seenSession()
  const file: SessionFile = JSON.parse(await exported(host))
  const broken = pngOf(64, 64).subarray(0, 90)
  for (const named of file.sessions.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts)).flatMap(filesOf))
    Object.assign(named, { width: 1, pages: 3, size: 1 })
  Object.assign(file, {
    attachments: [{ hash: contentHash(broken), mime: "image/png", name: "b.png", data: broken.toString("base64") }],
  })
  const { files, rows } = await imported(file)
  expect(rows).toEqual([])
  expect(files[0]).not.toHaveProperty("width")
  expect(files[0]).not.toHaveProperty("pages")
})

test("old rows with contents in them are still sent to the model", async () => {
  let asked = ""
  await using host = await scriptedRuntime((options) => {
    asked = JSON.stringify(options.prompt)
    return answer("Seen.")
  })
  const { store, session } = host
  const message = userMessage(session)
  const old = { type: "file", mime: "image/png", url: toDataUrl("image/png", picture), filename: "old.png" } as const
  const part = { ...old, id: newId("part"), sessionID: session.id, messageID: message.id }
  const mutations: Mutation[] = [
    { kind: "message", value: message },
    { kind: "part", value: part },
  ]
  await store.write.commit([{ rootID: session.id, mutations }])
  await host.prompt("Second")
  expect(asked).toContain(picture.toString("base64"))
})
