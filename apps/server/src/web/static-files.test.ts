import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, it } from "vitest"
import { listen } from "../listen.ts"
import { createStaticFiles } from "./static-files.ts"

const code = "export const words = [1, 2, 3]\n".repeat(500)
const font = Buffer.alloc(3_000, 7)
const far = { "x-forwarded-for": "203.0.113.7", "accept-encoding": "gzip, br" }

let directory: string
let url: string
const server = createServer((req, res) => {
  void files.serve(req, res).then((served) => served || res.writeHead(418).end())
})
let files: ReturnType<typeof createStaticFiles>
/** What all nodes have shared: names with their files, and contents of older ones. */
const shared = { names: new Map<string, string>(), older: new Map<string, Buffer>(), isAway: false }
const problems: unknown[] = []

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-static-"))
  await mkdir(path.join(directory, "static", "chunks"), { recursive: true })
  await writeFile(path.join(directory, "static", "chunks", "app-1.js"), code)
  await writeFile(path.join(directory, "static", "chunks", "app-1.js.map"), "{}")
  await writeFile(path.join(directory, "static", "sans-1.woff2"), font)
  await writeFile(path.join(directory, "secret.js"), "no")
  files = createStaticFiles({
    directory: path.join(directory, "static"),
    prefix: "/files/",
    shared: {
      async share(names) {
        for (const [name, file] of names) shared.names.set(name, file)
      },
      async get(name) {
        if (shared.isAway) throw new Error("the database is away")
        return shared.older.get(name) ?? null
      },
    },
    onError: (error) => problems.push(error),
  })
  url = await listen(server, "127.0.0.1", 0)
})
afterAll(async () => {
  server.close()
  await rm(directory, { recursive: true })
})

function ask(address: string, options: { headers?: Record<string, string>; method?: string } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined
    headers: Record<string, unknown>
    bytes: Buffer
  }>()
  const { hostname, port } = new URL(url)
  const req = request({ hostname, port, path: address, ...options }, async (res) => {
    const bytes = await buffer(res)
    resolve({ status: res.statusCode, headers: res.headers, bytes })
  })
  req.on("error", reject).end()
  return promise
}

it("build files are cached forever and compressed for distant clients", async () => {
  const near = await ask("/files/chunks/app-1.js", { headers: { "accept-encoding": "gzip, br" } })
  expect(near.headers).toMatchObject({
    "content-type": "application/javascript; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  })
  expect(near.headers["content-encoding"]).toBeUndefined()
  expect(near.bytes.toString()).toBe(code)
  for (const [accepted, encoding, decode] of [
    ["gzip, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
  ] as const) {
    const { headers, bytes } = await ask("/files/chunks/app-1.js", { headers: { ...far, "accept-encoding": accepted } })
    expect(headers).toMatchObject({ "content-encoding": encoding, "content-length": String(bytes.length) })
    expect(decode(bytes).toString()).toBe(code)
  }
})

it("a font is sent uncompressed; HEAD gets no body", async () => {
  const { headers, bytes } = await ask("/files/sans-1.woff2", { headers: far })
  expect(headers["content-encoding"]).toBeUndefined()
  expect(bytes.equals(font)).toBe(true)
  const head = await ask("/files/chunks/app-1.js", { method: "HEAD" })
  expect(head.headers["content-length"]).toBe(String(code.length))
  expect(head.bytes).toHaveLength(0)
})

it("missing, outside, foreign and non-read requests go to the web app", async () => {
  for (const address of [
    "/files/chunks/app-2.js",
    "/files/chunks",
    "/files/../secret.js",
    "/files/%2e%2e/secret.js",
    "/files/chunks/app-1.js.map",
    "/chunks/app-1.js",
  ])
    expect([address, (await ask(address)).status]).toEqual([address, 418])
  expect((await ask("/files/chunks/app-1.js", { method: "POST" })).status).toBe(418)
})

it("files of other nodes are served like own ones, in both forms", async () => {
  expect([...shared.names.keys()].sort()).toEqual([
    "/files/chunks/app-1.js",
    "/files/chunks/app-1.js.map",
    "/files/sans-1.woff2",
  ])
  shared.older.set("/files/chunks/app-0.js", gzipSync(code))
  const cached = { "cache-control": "public, max-age=31536000, immutable", vary: "accept-encoding" }
  const packed = await ask("/files/chunks/app-0.js", { headers: far })
  expect(packed).toMatchObject({ status: 200, headers: { ...cached, "content-encoding": "gzip" } })
  expect(gunzipSync(packed.bytes).toString()).toBe(code)
  const plain = await ask("/files/chunks/app-0.js")
  expect(plain).toMatchObject({ status: 200, headers: cached })
  expect(plain.bytes.toString()).toBe(code)
  const head = await ask("/files/chunks/app-0.js", { method: "HEAD" })
  expect([head.status, head.bytes.byteLength]).toEqual([200, 0])
})

it("a file that nobody has is left to others", async () => {
  const asked = () => ask("/files/chunks/none.js").then(({ status }) => status)
  expect(await asked()).toBe(418)
  shared.isAway = true
  expect(await asked()).toBe(418)
  shared.isAway = false
  expect(problems).toEqual([new Error("the database is away")])
})

it("a running process serves its files when they were replaced on disk", async () => {
  shared.older.set("/files/sans-1.woff2", gzipSync(font))
  await rm(path.join(directory, "static", "sans-1.woff2"))
  expect((await ask("/files/sans-1.woff2")).bytes).toEqual(font)
})
