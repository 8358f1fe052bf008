import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo, Server } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { docketUnreachable, httpStatus } from "./client-error.ts"
import { clientVersion } from "./client-version.ts"
import { createDocketClient, type DocketClientOptions } from "./create-docket-client.ts"
import { subscribeTree } from "./subscribe-tree.ts"
import { selfSigned } from "./test/self-signed.ts"
import { createTreeStore } from "./tree-store.ts"

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function serve(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(answer))}`
}

const sessionID = `ses_${"0".repeat(26)}`

/** The message of a call, the error that ends a stream, and the error that a tree store shows. */
async function said(options: DocketClientOptions): Promise<string[]> {
  const client = createDocketClient(options)
  const call = await client.session.list.query({}).then(String, (error: Error) => error.message)
  const stream = await new Promise<string>((resolve) => {
    const pauses = { first: 1, longest: 8 }
    subscribeTree(client, { sessionID, pauses, onEvent: () => undefined, onError: ({ message }) => resolve(message) })
  })
  const store = createTreeStore(client, { sessionID })
  const shown = await new Promise<string>((resolve) => {
    const look = () => store.get().error && resolve(store.get().error?.message ?? "")
    store.subscribe(look)
  })
  store.close()
  return [call, stream, shown]
}

test("a call to an unreachable service fails with readable words and cause", async () => {
  const server = createServer()
  const port = await listening(server)
  server.close()
  await once(server, "close")

  const client = createDocketClient({ url: `http://127.0.0.1:${port}`, token: "none" })
  const read = await client.session.list.query({}).catch((error: unknown) => error)
  const change = await client.session.abort.mutate({ sessionID: "ses_0" }).catch((error: unknown) => error)
  for (const error of [read, change]) {
    const message = `Nothing takes connections at http://127.0.0.1:${port} (ECONNREFUSED). ${docketUnreachable}`
    expect(error).toHaveProperty("message", message)
    expect(error).toHaveProperty("cause.cause", expect.any(TypeError))
    expect(httpStatus(error)).toBeNull()
  }
})

test.each([
  ["/api", docketUnreachable],
  ["http://127.0.0.1:1", `http://127.0.0.1:1 gives no answer. ${docketUnreachable}`],
])("the error of a call to %j names another's address", async (url, message) => {
  const fetch = () => Promise.reject(new TypeError("Failed to fetch"))
  const client = createDocketClient({ url, fetch })
  await expect(client.session.list.query({})).rejects.toHaveProperty("message", message)
})

test("an untrusted certificate is named everywhere and never retried", async () => {
  const port = await listening(createTlsServer(selfSigned, (_, res) => res.end()))
  const words = `The certificate of https://localhost:${port} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Have this machine trust who signed it, in Node by NODE_EXTRA_CA_CERTS. Trying again does not help.`
  expect(await said({ url: `https://localhost:${port}`, token: "any" })).toEqual([words, words, words])
})

test("errors name HTTPS addresses of plain ports, and invalid addresses", async () => {
  const url = (await serve((_, res) => res.end())).replace("http:", "https:")
  for (const words of await said({ url, token: "any" }))
    expect(words).toMatch(
      /^What answers at https:\/\/127\.0\.0\.1:\d+ does not speak TLS \(ERR_SSL_\w+\)\. Does its address/,
    )
  for (const words of await said({ url: "localhost", token: "any", fetch: globalThis.fetch }))
    expect(words).toBe('"localhost" is not an address of Docket. It begins with http:// or https://.')
})

test("an answer not from Docket ends a stream that never began", async () => {
  const url = await serve((_, res) => res.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>"))
  for (const words of await said({ url, token: "any" }))
    expect(words).toMatch(/^What answered at http\S+ is not Docket \(404, text\/html\)/)
})

test("a proxy that blocks streams ends the subscription with its status", async () => {
  const url = await serve((req, res) => {
    if (req.url?.includes("event.subscribe")) return void res.writeHead(405, { "content-type": "text/plain" }).end()
    res.writeHead(200, { "content-type": "application/json" }).end('[{"result":{"data":{}}}]')
  })
  const ended = await new Promise<string>((resolve) => {
    subscribeTree(createDocketClient({ url, token: "any" }), {
      sessionID,
      pauses: { first: 1, longest: 8 },
      onEvent: () => undefined,
      onError: ({ message }) => resolve(message),
    })
  })
  expect(ended).toBe(
    "Docket answers calls, but its stream of events is answered with 405. What stands in front of Docket has to let event streams (text/event-stream) through.",
  )
})

test("an absent service and a once live stream are retried", async () => {
  let streams = 0
  const done = Promise.withResolvers<void>()
  const url = await serve((req, res) => {
    if (req.url?.includes("event.subscribe")) streams += 1
    else if (streams === 8) done.resolve()
    if (streams < 3) return void res.writeHead(502, { "content-type": "text/html" }).end()
    if (streams > 3) return void res.writeHead(404, { "content-type": "text/html" }).end()
    res.writeHead(200, { "content-type": "text/event-stream" }).end("event: connected\ndata: {}\n\n")
  })
  const errors: string[] = []
  const states: string[] = []
  const leave = subscribeTree(createDocketClient({ url, token: "any" }), {
    pauses: { first: 1, longest: 8 },
    onEvent: () => undefined,
    onState: (state) => states.push(state),
    onError: ({ message }) => errors.push(message),
  })
  await done.promise
  leave()
  expect(errors).toEqual([])
  expect(states).toContain("live")
})

test("the version of the client is that of its manifest", async () => {
  const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8")
  expect(JSON.parse(manifest).version).toBe(clientVersion)
})

test("a newer client reports that the service is older than its requests", async () => {
  const answer = (docketCode: string | null, message: string, httpStatus: number) => {
    return { error: { message, code: -32_600, data: { code: "BAD_REQUEST", httpStatus, docketCode, path: "x" } } }
  }
  const older = (version: string) =>
    serve((req, res) => {
      const isHealth = req.url === "/api/health"
      const unknown = answer("unknown_key", 'There is no key "limit" here.', 400)
      const missing = answer(null, 'No procedure found on path "session.start"', 404)
      const body = req.method === "POST" ? missing : [unknown]
      res.writeHead(isHealth ? 200 : 400, { "content-type": "application/json" })
      res.end(JSON.stringify(isHealth ? { status: "ok", version } : body))
    })
  const ask = async (version: string) => {
    const client = createDocketClient({ url: await older(version), token: "any" })
    const of = async (call: Promise<unknown>) => call.then(String, (error: Error) => error.message)
    return [await of(client.session.list.query({ limit: 5 })), await of(client.session.abort.mutate({ sessionID }))]
  }
  const note =
    "The service is Docket 0.0.9, older than this client (0.1.0): update it, or pack the client from its version."
  expect(await ask("0.0.9")).toEqual([
    `There is no key "limit" here. ${note}`,
    `No procedure found on path "session.start" ${note}`,
  ])
  expect(await ask("0.1.0")).toEqual(['There is no key "limit" here.', 'No procedure found on path "session.start"'])
})
