import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { createDocketClient } from "./create-docket-client.ts"

/** A service that answers each call with the next of `answers`, and records the idempotency keys. */
async function serve(...answers: ((res: ServerResponse) => void)[]) {
  const keys: (string | undefined)[] = []
  const server = createServer((req: IncomingMessage, res) => {
    keys.push(req.headers["idempotency-key"]?.toString())
    req.resume().on("end", () => (answers.shift() ?? answered)(res))
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const client = createDocketClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" })
  return { client, keys }
}

const lost = (res: ServerResponse) => void res.destroy()
const answered = (res: ServerResponse) =>
  void res.setHeader("content-type", "application/json").end(JSON.stringify({ result: { data: null } }))
const refused = (res: ServerResponse) => {
  const data = { code: "BAD_REQUEST", httpStatus: 400, docketCode: "invalid_input" }
  res
    .writeHead(400, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code: -32_600, message: "no", data } }))
}

test("an unanswered call is repeated under its key, an answered one never", async () => {
  const { client, keys } = await serve(lost, answered, answered, refused, answered)
  const create = (content: string) => client.todo.create.mutate({ sessionID: null, content }).catch(() => null)
  await create("Look")
  await create("Look")
  await create("Look")
  await create("Go")
  await create("Go")
  expect(keys.every((key) => key !== undefined && /^[0-9a-f]{32}$/.test(key))).toBe(true)
  expect(keys[1]).toBe(keys[0])
  expect(new Set(keys).size).toBe(4)
})

test("a different call after a lost one gets its own key", async () => {
  const { client, keys } = await serve(lost)
  await client.todo.create.mutate({ sessionID: null, content: "Look" }).catch(() => null)
  await client.todo.create.mutate({ sessionID: null, content: "Look there" })
  expect(new Set(keys).size).toBe(2)
})
