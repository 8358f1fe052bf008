import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { sendDocument } from "./send-document.ts"

const piece = "x".repeat(64 * 1024)
const count = 300

/** Serves a document of many pieces, and records the largest number of bytes that waited to be sent. */
async function serve(failAt = Number.POSITIVE_INFINITY, mayReadOn?: () => Promise<boolean>) {
  const seen = { held: 0, made: 0, ended: false }
  const server = createServer((_, res) => {
    async function* pieces() {
      try {
        for (; seen.made < count; seen.made++) {
          if (seen.made === failAt) throw new Error("the link died")
          seen.held = Math.max(seen.held, res.writableLength)
          yield piece
        }
      } finally {
        seen.ended = true
      }
    }
    sendDocument(res, { type: "text/plain", fileName: "a.txt" }, pieces(), mayReadOn).catch(() => res.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { seen, url: `http://127.0.0.1:${port}` }
}

async function open(url: string): Promise<IncomingMessage> {
  const req = request(url).end()
  const [res] = (await once(req, "response")) as [IncomingMessage]
  return res
}

test("a document is made no faster than it is read", async () => {
  const { seen, url } = await serve()
  let length = 0
  for await (const chunk of await open(url)) length += chunk.length
  expect(length).toBe(piece.length * count)
  expect(seen.held).toBeLessThanOrEqual(2 * piece.length)
})

test("a document stops when its reader disconnects", async () => {
  const { seen, url } = await serve()
  const res = await open(url)
  await once(res, "readable")
  res.destroy()
  await expect.poll(() => seen.ended).toBe(true)
  expect(seen.made).toBeLessThan(count)
})

test("a document stops when its reader loses access or the check fails", async () => {
  for (const mayReadOn of [async () => false, () => Promise.reject(new Error("the link died"))]) {
    const { seen, url } = await serve(undefined, mayReadOn)
    const res = await open(url)
    await once(res, "readable")
    await expect.poll(() => seen.ended, { timeout: 10_000 }).toBe(true)
    expect(seen.made).toBeLessThan(count)
    await expect(async () => {
      for await (const _ of res);
    }).rejects.toThrow("aborted")
  }
})

test("an unfinished document is aborted; one that cannot begin is not sent", async () => {
  const broken = await serve(3)
  const res = await open(broken.url)
  await expect(async () => {
    for await (const _ of res);
  }).rejects.toThrow("aborted")
  const dead = await serve(0)
  await expect(open(dead.url)).rejects.toThrow("socket hang up")
})
