import { z } from "zod"

/** `websearch` of the configuration. */
export interface SearchConfig {
  provider: "exa" | "parallel" | "brave" | "tavily" | "searxng"
  api_key?: string | undefined
  url?: string | undefined
}

/** What is searched for. */
export interface SearchQuery {
  query: string
  /** Most results. */
  count: number
}

export interface SearchResult {
  title: string
  url: string
  /** What the page says about it; may be long. */
  text: string
}

/** A request to an engine. */
interface SearchRequest {
  url: URL
  method: "GET" | "POST"
  headers: Record<string, string>
  body?: string
}

/** How one engine is asked and how its answer is read. */
interface SearchEngine {
  request(query: SearchQuery, config: SearchConfig): SearchRequest
  /** @throws z.ZodError when the answer has another form */
  read(answer: string): SearchResult[]
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "")
const json = (answer: string): unknown => JSON.parse(answer)
const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** `tools/call` of a server of the Model Context Protocol, whose answer may come as one event of a stream. */
function callTool(
  url: URL,
  { name, args, headers }: { name: string; args: object; headers: Record<string, string> },
): SearchRequest {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  return {
    url,
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  }
}

const ToolAnswer = z.object({
  result: z
    .object({ content: z.array(z.looseObject({ type: z.string(), text })), isError: z.boolean().optional() })
    .optional(),
  error: z.object({ message: text }).optional(),
})

/** The text of the first `data:` line that is a result, or of the answer itself. */
function toolText(answer: string): string {
  const lines = answer.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []))
  for (const line of lines.length > 0 ? lines : [answer]) {
    const { result, error } = ToolAnswer.parse(json(line))
    if (error !== undefined) throw new Error(`The search engine answered: ${error.message.slice(0, 300)}`)
    const said = result?.content.map((part) => part.text).join("\n") ?? ""
    if (result?.isError) throw new Error(`The search engine answered: ${said.slice(0, 300)}`)
    if (result !== undefined) return said
  }
  throw new Error("The search engine sent no result.")
}

/** Results as blocks of text: `Title:`, `URL:`, then what the page says. */
function blocksOf(said: string): SearchResult[] {
  return said.split(/^(?=Title: )/m).flatMap((block) => {
    const title = /^Title: (.*)$/m.exec(block)?.[1]
    const url = /^URL: (.*)$/m.exec(block)?.[1]
    if (title === undefined || url === undefined) return []
    const rest = block
      .replace(/^(?:Title|URL|Published Date|Author): .*$/gm, "")
      .replace(/^(?:Text|Highlights): ?/m, "")
    return [{ title, url, text: rest.trim() }]
  })
}

const ParallelResults = z.object({
  results: z.array(z.looseObject({ url: z.string(), title: text, excerpts: z.array(z.string()).nullish() })),
})

const engines: Record<SearchConfig["provider"], SearchEngine> = {
  exa: {
    request({ query, count }, { api_key, url }) {
      const target = new URL(url ?? "https://mcp.exa.ai/mcp")
      if (api_key !== undefined) target.searchParams.set("exaApiKey", api_key)
      const args = { query, numResults: count, type: "auto", livecrawl: "fallback" }
      return callTool(target, { name: "web_search_exa", args, headers: {} })
    },
    read: (answer) => blocksOf(toolText(answer)),
  },
  parallel: {
    request({ query }, { api_key, url }) {
      const target = new URL(url ?? "https://search.parallel.ai/mcp")
      const args = { objective: query, search_queries: [query] }
      return callTool(target, { name: "web_search", args, headers: bearer(api_key) })
    },
    read: (answer) =>
      ParallelResults.parse(json(toolText(answer))).results.map(({ title, url, excerpts }) => ({
        title: title || url,
        url,
        text: (excerpts ?? []).join("\n"),
      })),
  },
  brave: {
    request({ query, count }, { api_key, url }) {
      const target = new URL(url ?? "https://api.search.brave.com/res/v1/web/search")
      target.searchParams.set("q", query)
      target.searchParams.set("count", String(Math.min(count, 20)))
      return {
        url: target,
        method: "GET",
        headers: { accept: "application/json", "x-subscription-token": api_key ?? "" },
      }
    },
    read: (answer) =>
      z
        .object({
          web: z
            .object({ results: z.array(z.looseObject({ title: text, url: z.string(), description: text })) })
            .nullish(),
        })
        .parse(json(answer))
        .web?.results.map(({ title, url, description }) => ({ title, url, text: description })) ?? [],
  },
  tavily: {
    request({ query, count }, { api_key, url }) {
      const target = new URL(url ?? "https://api.tavily.com/search")
      const headers = { "content-type": "application/json", accept: "application/json", ...bearer(api_key) }
      return { url: target, method: "POST", headers, body: JSON.stringify({ query, max_results: Math.min(count, 20) }) }
    },
    read: (answer) =>
      z
        .object({ results: z.array(z.looseObject({ title: text, url: z.string(), content: text })) })
        .parse(json(answer))
        .results.map(({ title, url, content }) => ({ title, url, text: content })),
  },
  searxng: {
    request({ query }, { url, api_key }) {
      const base = new URL(url ?? "")
      const target = new URL("search", base.href.endsWith("/") ? base : `${base.href}/`)
      target.searchParams.set("q", query)
      target.searchParams.set("format", "json")
      return { url: target, method: "GET", headers: { accept: "application/json", ...bearer(api_key) } }
    },
    read: (answer) =>
      z
        .object({ results: z.array(z.looseObject({ title: text, url: z.string(), content: text })) })
        .parse(json(answer))
        .results.map(({ title, url, content }) => ({ title, url, text: content })),
  },
}

/** The engine that the configuration names. */
export function searchEngine({ provider }: SearchConfig): SearchEngine {
  return engines[provider]
}
