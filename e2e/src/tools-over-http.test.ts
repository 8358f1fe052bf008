import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll } from "vitest"
import type { Answer } from "./fixtures/scripted-model.ts"
import { expect, settled, test, toolParts } from "./fixtures/service-test.ts"

/** A web site on this machine that is a search engine, too. */
const site = createServer(({ url = "" }, response) => {
  const isSearch = url.startsWith("/search")
  response.setHeader("content-type", isSearch ? "application/json" : "text/html")
  const found = { results: [{ title: "Names", url: "https://names.example/", content: "All names." }] }
  response.end(isSearch ? JSON.stringify(found) : "<h1>Names</h1><p>All of them.</p>")
})
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve))
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
afterAll(() => void site.close())

const config = {
  delegation: { envelope: false },
  permission: { "*": "allow", webfetch: { [`${address}/*`]: "allow" } },
  websearch: { provider: "searxng", url: address },
}

const call = (tool: string, args: Record<string, unknown>): Answer => ({ calls: [{ tool, args }] })
const file = "src/names.js"

/** A call of every tool that needs no person and no other agent, with words of its result. */
const common: [string, Record<string, unknown>, string][] = [
  ["list", {}, "names.js"],
  ["glob", { pattern: "src/*.js" }, "src/names.js"],
  ["grep", { pattern: "parseNames" }, "src/names.js"],
  ["read", { filePath: file }, "parseNames"],
  ["bash", { command: "echo from-the-shell" }, "from-the-shell"],
  ["webfetch", { url: `${address}/page` }, "# Names\n\nAll of them."],
  ["websearch", { query: "names" }, "https://names.example/"],
  [
    "batch",
    {
      tool_calls: [
        { tool: "read", parameters: { filePath: file } },
        { tool: "glob", parameters: { pattern: "*.md" } },
      ],
    },
    "2 of 2 succeeded",
  ],
  ["todowrite", { todos: [{ content: "Rename", status: "in_progress", priority: "high" }] }, "Rename"],
  ["todoread", {}, "Rename"],
  ["memory", { action: "add", type: "project", title: "Names", content: "Are split." }, "Names"],
]
const byEdit: typeof common = [
  ["edit", { filePath: file, oldString: "  parseNames", newString: "  splitNames" }, "Edited"],
  [
    "multiedit",
    { filePath: file, edits: [{ oldString: "splitNames", newString: "cutNames", replaceAll: true }] },
    "Made 1 edits",
  ],
  ["write", { filePath: "src/new.js", content: "export {}\n" }, "Created"],
]
const byPatch: typeof common = [
  [
    "apply_patch",
    { patchText: "*** Begin Patch\n*** Add File: src/new.js\n+export {}\n*** End Patch" },
    "Added src/new.js",
  ],
]

test.override({ config })

test.for([
  ["chat completions", "scripted", "scripted", byEdit],
  ["responses", "scripted-openai", "gpt-5-scripted", byPatch],
  ["messages", "scripted-anthropic", "claude-scripted", byEdit],
  ["generateContent", "scripted-google", "gemini-scripted", byEdit],
] as const)(
  "every tool works by %s",
  async ([, providerID, modelID, changing], { client, model, project, projectID }) => {
    await project.write(file, "export function run(text) {\n  return  parseNames(text)\n}\n")
    const calls = [...common, ...changing]
    model.script({ "Use them all": [...calls.map(([tool, args]) => call(tool, args)), { text: "Done." }] })
    const { id } = await client.session.create.mutate({ projectID, title: "Tools" })
    const parts = [{ type: "text" as const, text: "Use them all" }]
    await client.session.promptAsync.mutate({ sessionID: id, parts, model: { providerID, modelID } })
    await settled(client, id)

    const made = (await toolParts(client, id)).filter(({ batchID }) => batchID === undefined)
    expect(made.map(({ tool, state }) => [tool, state.status])).toEqual(calls.map(([tool]) => [tool, "completed"]))
    for (const [index, { state }] of made.entries()) {
      expect(state.status === "completed" && state.output).toContain(calls[index]?.[2])
    }
    const offered = model.requests[0]?.tools?.map((tool) => tool.function.name) ?? []
    const changers = ["apply_patch", "edit", "write"].filter((name) => offered.includes(name))
    expect(changers).toEqual(changing === byPatch ? ["apply_patch"] : ["edit", "write"])
  },
)
