import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import path from "node:path"
import { startS3 } from "@docket/blobs/start-s3"
import type { DocketClient } from "@docket/client"
import { onTestFinished } from "vitest"
import { test as base } from "./fixtures/nodes-test.ts"
import { expect, settled, textsOf, toolParts } from "./fixtures/service-test.ts"

const test = base.override("config", () => ({ delegation: { envelope: false }, permission: "allow" }))

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

async function newStore() {
  const store = await startS3()
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

/** What a host has not stored yet. */
const waiting = (data: string) => readdir(path.join(data, "blobs", "waiting")).catch(() => [])

async function begin(
  client: DocketClient,
  parts: Parameters<DocketClient["session"]["promptAsync"]["mutate"]>[0]["parts"],
) {
  const [opened] = await client.project.list.query()
  const { id: sessionID } = await client.session.create.mutate({ projectID: opened?.id ?? "" })
  await client.session.promptAsync.mutate({ sessionID, parts })
  await settled(client, sessionID)
  return sessionID
}

test("a dead worker's output, picture and export come from S3", async ({ startNode, project, model }) => {
  const store = await newStore()
  const command = "env | grep -c AWS_; seq 1 20000"
  model.script({ Count: [{ calls: [{ tool: "bash", args: { command, description: "counts" } }] }, { text: "Done." }] })
  const worker = await startNode("worker", { project: project.directory, variables: store.env })
  const web = await startNode("web", { variables: store.env })
  const picture = Buffer.from(pixel, "base64")
  const sessionID = await begin(web.client, [
    { type: "text", text: "Count" },
    { type: "file", mime: "image/png", filename: "a.png", url: `data:image/png;base64,${pixel}` },
  ])
  const puts = () => store.requests.filter((line) => line.startsWith("PUT")).length
  // The output, the picture, and nothing else: no other host has the directories.
  await expect.poll(puts).toBe(2)
  await expect.poll(() => waiting(worker.data)).toEqual([])
  await worker.kill()
  const [call] = await toolParts(web.client, sessionID)
  const page = await web.client.session.output.query({ partID: call?.id ?? "" })
  // Commands see nothing of the store.
  expect(page.text.slice(0, 8)).toBe("0\n1\n2\n3\n")
  expect(page.size).toBe(108_896)
  const headers = { authorization: `Bearer ${web.token}` }
  const hash = createHash("sha256").update(picture).digest("hex")
  const file = await fetch(`${web.url}/api/attachment/${sessionID}/${hash}`, { headers })
  expect(Buffer.from(await file.arrayBuffer()).equals(picture)).toBe(true)
  const exported = await fetch(`${web.url}/api/export/${sessionID}`, { headers })
  expect(await exported.json()).toMatchObject({ outputs: [{ text: expect.stringContaining("19999\n20000") }] })
  expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done."])
})

test("work goes on while S3 is away, and contents follow", async ({ startNode, project, model }) => {
  const store = await newStore()
  store.fault = (request) => {
    request.socket.destroy()
    return true
  }
  const command = "seq 1 20000"
  model.script({ Count: [{ calls: [{ tool: "bash", args: { command, description: "counts" } }] }, { text: "Done." }] })
  const worker = await startNode("worker", { project: project.directory, variables: store.env })
  const web = await startNode("web", { variables: store.env })
  const sessionID = await begin(web.client, [{ type: "text", text: "Count" }])
  const [call] = await toolParts(web.client, sessionID)
  const partID = call?.id ?? ""
  expect((await web.client.session.output.query({ partID })).size).toBe(108_894)
  await worker.kill()
  await expect(web.client.session.output.query({ partID })).rejects.toThrow(/which has the files|did not answer/)
  // The next start of the host stores what waited.
  store.fault = null
  store.requests.length = 0
  await worker.restart()
  await expect.poll(() => store.requests.filter((line) => line.startsWith("PUT")).length).toBe(1)
  await expect.poll(() => waiting(worker.data)).toEqual([])
  await worker.kill()
  expect((await web.client.session.output.query({ partID })).size).toBe(108_894)
})

test.for([
  [{ AWS_ACCESS_KEY_ID: "NOBODY" }, "Check AWS_ACCESS_KEY_ID"],
  [{ DOCKET_BLOBS: "s3://nothing" }, "NoSuchBucket"],
  [{ DOCKET_BLOBS: "contents" }, "DOCKET_BLOBS has to be like"],
] as const)("a node with wrong settings is refused: %j", async ([env, message], { startNode }) => {
  const store = await newStore()
  await expect(startNode("web", { variables: { ...store.env, ...env } })).rejects.toThrow(message)
})
