import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { expect, it, onTestFinished } from "vitest"
import type { PermissionConfig } from "../../../ground/schema/permission.ts"
import { runTool } from "../run-tool.ts"
import { createToolFixture } from "../test/tool-fixture.ts"
import { createPageReader } from "./read-page.ts"
import { createWebfetchTool } from "./webfetch.ts"

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A web server on this machine, and a call of the tool for one of its pages. */
async function site(
  answer: Answer,
  rules: (host: string) => PermissionConfig = (host) => ({ webfetch: { [`http://${host}/*`]: "allow" } }),
) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  server.unref()
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const fixture = createToolFixture(rules(host))
  const fetch = (path: string, more = {}) =>
    runTool(createWebfetchTool(), { url: `http://${host}${path}`, ...more }, fixture.context)
  return { fixture, host, fetch }
}

const html: Answer = (_, response) => response.setHeader("content-type", "text/html").end("<h1>Hi</h1><p>there</p>")

it.each([
  ["markdown", "# Hi\n\nthere"],
  ["text", "Hi\nthere"],
  ["html", "<h1>Hi</h1><p>there</p>"],
])("a page comes as %s", async (format, text) => {
  const { fetch, host, fixture } = await site(html)
  expect(await fetch("/a?b=c#d", { format })).toMatchObject({
    output: text,
    metadata: { url: `http://${host}/a?b=c`, bytes: 23, mediaType: "text/html" },
  })
  expect(fixture.asks).toMatchObject([
    {
      permission: "webfetch",
      patterns: [`http://${host}/a?b=c`],
      always: [`http://${host}/*`],
      metadata: { kind: "address", url: `http://${host}/a?b=c` },
    },
  ])
})

it.each<[string, Answer]>([
  ["gzip", (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("packed text"))],
  ["brotli", (_, response) => response.setHeader("content-encoding", "br").end(brotliCompressSync("packed text"))],
  [
    "Latin-1",
    (_, response) => response.setHeader("content-type", "text/plain; charset=latin1").end(Buffer.from("packed text")),
  ],
  [
    "an unknown character set",
    (_, response) => response.setHeader("content-type", "text/plain; charset=none").end("packed text"),
  ],
])("an answer in %s is read", async (_, answer) => {
  const { fetch } = await site(answer)
  expect((await fetch("/")).output).toBe("packed text")
})

it.each<[string, Answer, string]>([
  ["a missing page", (_, response) => response.writeHead(404).end(), "answered 404"],
  ["a picture", (_, response) => response.setHeader("content-type", "image/png").end("x"), "is image/png"],
  ["bytes of no type", (_, response) => response.end(Buffer.from([0, 1, 2])), "is no text"],
  ["an endless page", (_, response) => endless(response), "larger than 5 MB"],
  [
    "a gzip bomb",
    (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(Buffer.alloc(50_000_000))),
    "larger than 5 MB",
  ],
  ["damaged gzip", (_, response) => response.setHeader("content-encoding", "gzip").end("no gzip"), "damaged"],
  [
    "a browser's proof",
    (_, response) => response.writeHead(403, { "cf-mitigated": "challenge" }).end(),
    "answers only browsers",
  ],
  [
    "a circle of redirects",
    (_, response) => response.writeHead(302, { location: "/again" }).end(),
    "redirected more than 5 times",
  ],
])("%s is an error in words", async (_, answer, message) => {
  const { fetch } = await site(answer)
  await expect(fetch("/")).rejects.toThrow(message)
})

function endless(response: ServerResponse): void {
  const more = () => {
    while (response.write(Buffer.alloc(65_536, "a"))) {}
  }
  response.on("drain", more)
  more()
}

it("a server that never answers is given up", async () => {
  const { fetch } = await site(() => {})
  await expect(fetch("/", { timeout: 1 })).rejects.toThrow("did not answer within 1 seconds")
})

it("a challenge is answered under a plain name", async () => {
  const { fetch } = await site((request, response) =>
    request.headers["user-agent"] === "docket"
      ? response.end("come in")
      : response.writeHead(403, { "cf-mitigated": "challenge" }).end(),
  )
  expect((await fetch("/")).output).toBe("come in")
})

const redirect: Answer = ({ url = "" }, response) =>
  url.startsWith("/to/") ? response.writeHead(302, { location: url.slice(3) }).end() : response.end("arrived")

it("each redirect is asked for, with the page that redirects", async () => {
  const { fetch, fixture, host } = await site(redirect)
  expect((await fetch("/to/there")).output).toBe("arrived")
  expect(fixture.asks.map(({ metadata }) => metadata)).toEqual([
    { kind: "address", url: `http://${host}/to/there` },
    { kind: "address", url: `http://${host}/there`, from: `http://${host}/to/there` },
  ])
})

it.each([
  [
    "a denied path",
    "/to/admin",
    (host: string) => ({ [`http://${host}/*`]: "allow", [`http://${host}/admin*`]: "deny" }) as const,
  ],
  [
    "a denied path, encoded",
    "/to/%61dmin",
    (host: string) => ({ [`http://${host}/*`]: "allow", [`http://${host}/admin*`]: "deny" }) as const,
  ],
  [
    "a denied path behind an encoded slash",
    "/to/%2Fadmin",
    (host: string) => ({ [`http://${host}/*`]: "allow", [`http://${host}/admin*`]: "deny" }) as const,
  ],
])("a redirect to %s is not followed", async (_, path, rules) => {
  const { fetch } = await site(redirect, (host) => ({ webfetch: rules(host) }))
  await expect(fetch(path)).rejects.toThrow("do not allow")
})

it("a denied path is not fetched with two slashes either", async () => {
  const { fetch } = await site(html, (host) => ({
    webfetch: { [`http://${host}/*`]: "allow", [`http://${host}/admin*`]: "deny" },
  }))
  await expect(fetch("//admin")).rejects.toThrow("do not allow")
})

it.each([
  ["no rule", () => ({ webfetch: "allow" }) as const],
  ["a rule for all hosts", () => ({ webfetch: { "http://*": "allow" } }) as const],
  ["a rule without the port", () => ({ webfetch: { "http://127.0.0.1*": "allow" } }) as const],
])("this machine is not reached by %s", async (_, rules) => {
  const { fetch } = await site(html, rules)
  await expect(fetch("/")).rejects.toThrow("is not on the public internet")
})

it("a redirect from outside does not lead to this machine", async () => {
  const { fetch, host } = await site(
    (request, response) => {
      if (request.url === "/out") response.writeHead(302, { location: "http://localhost:9/" }).end()
      else response.end("inside")
    },
    (own) => ({ webfetch: { "*": "allow", [`http://${own}/*`]: "allow" } }),
  )
  await expect(fetch("/out")).rejects.toThrow("localhost:9 is not on the public internet")
  expect(host).toContain("127.0.0.1")
})

it("a page that takes too long to read is given up", async () => {
  const { signal } = new AbortController()
  const nested = "<div>".repeat(200_000)
  await expect(createPageReader({ ms: 300 }).read(nested, "markdown", signal)).rejects.toThrow(
    "too large or too deeply nested",
  )
})

it("pages wait for a free thread, but not after the call stops", async () => {
  const pages = createPageReader({ ms: 60_000 })
  const slow = new AbortController()
  const nested = "<div>".repeat(20_000)
  const busy = [1, 2].map(() => pages.read(nested, "markdown", slow.signal).catch(() => "stopped"))
  const stopped = new AbortController()
  const waiting = pages.read("<p>x</p>", "text", stopped.signal)
  stopped.abort(new Error("stopped by the user"))
  await expect(waiting).rejects.toThrow("stopped by the user")
  slow.abort()
  await Promise.all(busy)
  expect(await pages.read("<p>x</p>", "text", new AbortController().signal)).toBe("x")
})
