import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { expect, it, onTestFinished } from "vitest"
import { runTool } from "../run-tool.ts"
import { createToolFixture } from "../test/tool-fixture.ts"
import type { SearchConfig } from "./search-engines.ts"
import { createWebsearchTool } from "./websearch.ts"

interface Seen {
  url: URL
  headers: IncomingMessage["headers"]
  body: unknown
}

/** A search engine on this machine, which gives the same answer to each request. */
async function engine(answer: string, status = 200): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    seen.push({
      url: new URL(request.url ?? "", "http://x"),
      headers: request.headers,
      body: body === "" ? null : JSON.parse(body),
    })
    response.writeHead(status).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, seen }
}

const results = [{ title: "One", url: "https://one.example/", content: "first", description: "first" }]
const call = (said: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: said }] } })
const exa = "Title: One\nURL: https://one.example/\nText: first\n"
const parallel = JSON.stringify({ results: [{ title: "One", url: "https://one.example/", excerpts: ["first"] }] })

it.each<[SearchConfig["provider"], string, (seen: Seen) => void]>([
  [
    "exa",
    `event: message\ndata: ${call(exa)}\n\n`,
    ({ url, body }) => {
      expect(url.searchParams.get("exaApiKey")).toBe("key")
      expect(body).toMatchObject({
        method: "tools/call",
        params: { name: "web_search_exa", arguments: { query: "words", numResults: 3 } },
      })
    },
  ],
  [
    "parallel",
    call(parallel),
    ({ headers, body }) => {
      expect(headers.authorization).toBe("Bearer key")
      expect(body).toMatchObject({
        params: { name: "web_search", arguments: { objective: "words", search_queries: ["words"] } },
      })
    },
  ],
  [
    "brave",
    JSON.stringify({ web: { results } }),
    ({ url, headers }) => {
      expect(url.searchParams.get("q")).toBe("words")
      expect(headers["x-subscription-token"]).toBe("key")
    },
  ],
  [
    "tavily",
    JSON.stringify({ results }),
    ({ headers, body }) => {
      expect(headers.authorization).toBe("Bearer key")
      expect(body).toEqual({ query: "words", max_results: 3 })
    },
  ],
  [
    "searxng",
    JSON.stringify({ results }),
    ({ url }) => {
      expect(url.pathname).toBe("/base/search")
      expect(url.searchParams.get("format")).toBe("json")
    },
  ],
])("%s is asked in its own words", async (provider, answer, check) => {
  const { url, seen } = await engine(answer)
  const fixture = createToolFixture()
  const tool = createWebsearchTool({ provider, api_key: "key", url })
  const found = await runTool(tool, { query: "words", numResults: 3 }, fixture.context)
  expect(found).toMatchObject({
    output: "1. One\nhttps://one.example/\nfirst",
    metadata: { query: "words", results: [{ title: "One", url: "https://one.example/" }] },
  })
  const { host } = new URL(url)
  expect(fixture.asks).toMatchObject([
    { permission: "websearch", patterns: [host], always: [host], metadata: { kind: "query", query: "words", host } },
  ])
  const [request] = seen
  if (request === undefined) throw new Error("no request")
  check(request)
})

it.each<[string, string, number, string]>([
  ["a wrong key", "{}", 401, "refuses the key (401)"],
  ["too many searches", "{}", 429, "takes no more searches"],
  ["a page in place of JSON", "<html>", 200, "in a form that Docket does not know"],
  ["JSON of another form", '{"items":[]}', 200, "in a form that Docket does not know"],
])("%s is told in words", async (_, answer, status, message) => {
  const { url } = await engine(answer, status)
  const tool = createWebsearchTool({ provider: "tavily", api_key: "key", url })
  await expect(runTool(tool, { query: "words" }, createToolFixture().context)).rejects.toThrow(message)
})

it("without a configured engine no model is offered the tool", () => {
  expect(createWebsearchTool(null).unavailable).toContain("no search engine is configured")
})
