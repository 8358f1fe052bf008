import { createServer, type RequestListener } from "node:http"
import { afterEach, expect, it } from "vitest"
import { listen } from "../listen.ts"
import { discoverProvider } from "./discover-provider.ts"

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  let connections = 0
  server.on("connection", () => connections++)
  const url = await listen(server, "127.0.0.1", 0)
  closers.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  return { url, connections: () => connections }
}

const documentOf = (issuer: string, more: object = {}) =>
  JSON.stringify({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...more,
  })
const { signal } = new AbortController()
const example = (issuer: string, allowPrivate = true) => ({ name: "Example", issuer, allowPrivate })

it("private network issuers get no request unless allowed", async () => {
  const server = await serve((_, response) => response.end(documentOf(server.url)))
  const { port } = new URL(server.url)
  for (const url of [server.url, `https://localhost:${port}`, "http://169.254.169.254"])
    await expect(discoverProvider(example(url, false), signal)).rejects.toThrow("is not on the public internet")
  await expect(discoverProvider(example(`http://localhost:${port}`, false), signal)).rejects.toThrow("without TLS")
  expect(server.connections()).toBe(0)
  const { endpoints } = await discoverProvider(example(server.url), signal)
  expect(endpoints.token_endpoint).toBe(`${server.url}/token`)
})

it("foreign, incomplete and invalid discovery documents are refused", async () => {
  const answers = [documentOf("https://evil.example"), JSON.stringify({ issuer: "x" }), "<html>"]
  const server = await serve((_, response) => response.end(answers.shift()))
  await expect(discoverProvider(example(server.url), signal)).rejects.toThrow("it says that it is https://evil.example")
  await expect(discoverProvider(example(server.url), signal)).rejects.toThrow("its discovery document is not complete")
  await expect(discoverProvider(example(server.url), signal)).rejects.toMatchObject({ code: "sign_in_unavailable" })
})
