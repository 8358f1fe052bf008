import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { readJson } from "./read-json.ts"
import { sendError } from "./respond.ts"

it("a disconnect during the body is not logged, other failures are", async () => {
  const logged: string[] = []
  const begun = Promise.withResolvers<void>()
  const ended: Promise<void>[] = []
  const server = createServer((req, res) => {
    begun.resolve()
    const work = readJson(req, z.object({})).then(() => {
      throw new Error("broken")
    })
    ended.push(work.catch((error: unknown) => sendError(res, error, (text) => logged.push(text))))
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const call = request({ port, path: "/one", method: "POST", headers: { "content-length": 100 } })
  call.on("error", () => undefined)
  call.write("{")
  await begun.promise
  call.destroy()
  await Promise.all(ended)
  expect(logged).toEqual([])
  expect((await fetch(`http://127.0.0.1:${port}/two`, { method: "POST", body: "{}" })).status).toBe(500)
  expect(logged).toEqual(["POST /two failed"])
})
