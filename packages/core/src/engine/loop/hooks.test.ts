import path from "node:path"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { defineTool } from "../../acts/tool/tool.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import { extensionOf } from "../../test/extension-of.ts"
import { pngOf } from "../../test/pictures.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"
import { countTime } from "./counted-time.ts"
import { combineHooks, type Plug } from "./hooks.ts"

/** A model that makes the call once and then answers, with the requests that it got. */
function callOnce(tool: string, input: object) {
  const asked: LanguageModelV4CallOptions[] = []
  const script = (options: LanguageModelV4CallOptions) => {
    asked.push(options)
    return toolResults(options).length > 0 ? answer("Done.") : answer("", { tool, input })
  }
  return { asked, script }
}

async function callOf(host: ScriptedRuntime): Promise<ToolPart["state"]> {
  const { items } = await host.messages()
  const part = items.flatMap(({ parts }) => parts).find((part) => part.type === "tool")
  if (part?.type !== "tool") throw new Error("no call was made")
  return part.state
}

test("a prompt, its model call and its tools pass through a plug", async () => {
  const { asked, script } = callOnce("bash", { command: "echo original" })
  const plug: Plug = {
    prompt: (parts) => [...parts, { type: "text", text: "and a word more" }],
    systemPrompt: async (system) => [...system.slice(0, 1), "What the plug says."],
    parameters: async (parameters) => ({ ...parameters, temperature: 0.25 }),
    headers: async (headers) => ({ ...headers, "x-plug": "here" }),
    toolDefinition: async (tool) =>
      tool.name === "bash" ? { ...tool, description: "Runs what the plug lets." } : tool,
    beforeCall: async () => ({ command: 'echo "$FROM_PLUG"' }),
    shellEnv: async (env, { cwd, tool }) => ({ ...env, FROM_PLUG: `${tool} in ${path.basename(cwd)}` }),
    afterCall: async (result) => ({ ...result, output: `${result.output}\nread by the plug` }),
  }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ plug })],
    config: { permission: "allow" },
    env: { PATH: process.env.PATH ?? "" },
  })
  expect(await host.prompt("Do it")).toMatchObject({ status: "completed" })
  const [first] = asked
  expect(first && lastUserText(first)).toContain("Do it\nand a word more")
  expect(first?.prompt.filter(({ role }) => role === "system").at(-1)?.content).toBe("What the plug says.")
  expect([first?.temperature, first?.headers]).toEqual([0.25, { "x-plug": "here" }])
  const told = first?.tools?.find((tool) => tool.type === "function" && tool.name === "bash")
  expect(told).toMatchObject({ description: "Runs what the plug lets." })
  const state = await callOf(host)
  expect(state).toMatchObject({ status: "completed", input: { command: 'echo "$FROM_PLUG"' } })
  const said = `bash in ${path.basename(host.directory)}\n[exit code 0]\nread by the plug`
  expect(asked[1] && toolResults(asked[1])).toEqual([said])
})

test("a plug's remark on a written file is added to the result", async () => {
  const { asked, script } = callOnce("write", { filePath: "a.txt", content: "one\n" })
  const plug: Plug = { fileChanged: async (file) => `${path.basename(file)} has no problem.` }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ plug })],
    config: { permission: "allow" },
  })
  await host.prompt("Write it")
  expect(asked[1] && toolResults(asked[1])).toEqual([
    expect.stringMatching(/^Created a\.txt .*\n\na\.txt has no problem\.$/s),
  ])
})

test("an error in a plug refuses a prompt or fails a call", async () => {
  const { script } = callOnce("glob", { pattern: "*" })
  const plug: Plug = {
    prompt(parts) {
      if (parts.some((part) => part.type === "text" && part.text === "Secret"))
        throw new DocketError("invalid_input", "The plug takes no secrets.")
      return parts
    },
    beforeCall: async () => Promise.reject(new Error("The plug forbids it.")),
  }
  await using host = await scriptedRuntime(script, { extensions: [extensionOf({ plug })] })
  await expect(host.prompt("Secret")).rejects.toThrow("The plug takes no secrets.")
  await host.prompt("Look")
  expect(await callOf(host)).toMatchObject({ status: "error", error: "The plug forbids it." })
})

test.each([
  ["deny", "allow", { status: "error", error: expect.stringContaining("an extension denies it") }],
  ["allow", "ask", { status: "completed" }],
  ["allow", "deny", { status: "error" }],
  [null, "allow", { status: "completed" }],
] as const)("a plug's %s decides over the rule %s, unless that denies", async (decision, rule, state) => {
  const { script } = callOnce("write", { filePath: "a.txt", content: "one\n" })
  const plug: Plug = { permission: async ({ request }) => (request.permission === "edit" ? decision : null) }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ plug })],
    config: { permission: { edit: { "a.txt": rule } } },
  })
  await host.prompt("Write it")
  expect(await callOf(host)).toMatchObject(state)
})

test("a plug may require a question that the rules allow", async () => {
  const { script } = callOnce("write", { filePath: "a.txt", content: "one\n" })
  const plug: Plug = { permission: async () => "ask" }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ plug })],
    config: { permission: "allow" },
  })
  const ended = host.prompt("Write it")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nobody was asked")
  expect(asked.properties.request.patterns).toEqual(["a.txt"])
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ended
  expect(await callOf(host)).toMatchObject({ status: "completed" })
})

test("an answer to one question of a plug releases no other", async () => {
  const writes = ["a.txt", "b.txt"].map((filePath) => ({ tool: "write", input: { filePath, content: "one\n" } }))
  const script = (options: LanguageModelV4CallOptions) =>
    toolResults(options).length > 0 ? answer("Done.") : answer("", ...writes)
  const plug: Plug = { permission: async () => "ask" }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ plug })],
    config: { permission: "allow" },
  })
  const ended = host.prompt("Write both")
  const waiting = async () => host.runtime.permission.pending()
  await expect.poll(async () => (await waiting()).length).toBe(2)
  const [one, other] = await waiting()
  await host.runtime.permission.reply(one?.id ?? "", "always")
  expect((await waiting()).map(({ id }) => id)).toEqual([other?.id])
  await host.runtime.permission.reply(other?.id ?? "", "once")
  expect(await ended).toMatchObject({ status: "completed" })
})

test("the summary's prompt passes through a plug", async () => {
  const asked: string[] = []
  const plug: Plug = { compaction: async (request) => `${request}\n\nKeep what the plug wants.` }
  await using host = await scriptedRuntime(
    (options) => {
      asked.push(lastUserText(options))
      return answer("Said.")
    },
    { extensions: [extensionOf({ plug })] },
  )
  await host.prompt("Say something")
  await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "command", name: "compact", arguments: "" }] })
  await host.until((event) => event.type === "turn.updated" && event.properties.turn.status === "completed")
  await expect.poll(() => asked.at(-1)).toMatch(/Keep what the plug wants\.$/)
})

test("a plug is notified of a turn's beginning, steps and end", async () => {
  const told: string[] = []
  const work: string[] = []
  const plug: Plug = {
    async turnBegins() {
      told.push("begins")
      return countTime({ start: () => work.push("start"), stop: () => work.push("stop") })
    },
    stepUsed: (_, { toolCalls }) => void told.push(`step with ${toolCalls}`),
    // Of the two calls of the answer, one may be made.
    stepLimit: () => ({ limit: null, calls: 1 }),
    turnEnded: async () => void told.push("ended"),
  }
  const twoCalls = [
    { tool: "glob", input: { pattern: "*" } },
    { tool: "glob", input: { pattern: "*.ts" } },
  ]
  await using host = await scriptedRuntime(
    (options) => (toolResults(options).length > 0 ? answer("Done.") : answer("", ...twoCalls)),
    { extensions: [extensionOf({ plug })] },
  )
  await host.prompt("Look twice")
  await expect.poll(() => told).toEqual(["begins", "step with 1", "step with 0", "ended"])
  expect([work[0], work.at(-1)]).toEqual(["start", "stop"])
})

test("turns find tools of every source; the first of a name wins", async () => {
  const { asked, script } = callOnce("count_words", { text: "one two" })
  const counts = defineTool({
    id: "count_words",
    description: "Counts words.",
    parameters: {
      jsonSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      parse: (input: unknown) => {
        const { text } = { ...(input as { text?: unknown }) }
        return typeof text === "string" ? { args: { text } } : { problems: ["text: is missing"] }
      },
    },
    permission: "count_words",
    parallel: true,
    execute: async (args) => ({
      title: "Words",
      output: String((args as { text: string }).text.split(" ").length),
      metadata: {},
    }),
  })
  const stranger = { ...counts, id: "read", description: "Not Docket's own." }
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ tools: async () => [counts, stranger] })],
  })
  await host.prompt("Count")
  const names = asked[0]?.tools?.map(({ name }) => name) ?? []
  expect(names.filter((name) => name === "read" || name === "count_words")).toEqual(["read", "count_words"])
  expect(asked[1] && toolResults(asked[1])).toEqual(["2"])
})

test("files returned by a tool are stored and read by the model", async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const script = (options: LanguageModelV4CallOptions) =>
    asked.push(options) > 1 ? answer("Done.") : answer("", { tool: "draw", input: {} })
  const url = toDataUrl("image/png", pngOf(4, 3))
  const draw = defineTool({
    id: "draw",
    description: "Draws.",
    parameters: { jsonSchema: { type: "object", properties: {} }, parse: (args: unknown) => ({ args }) },
    permission: "draw",
    parallel: true,
    execute: async () => ({
      title: "Drawn",
      output: "Drawn.",
      attachments: [{ mime: "image/png", url }],
      metadata: {},
    }),
  })
  await using host = await scriptedRuntime(script, { extensions: [extensionOf({ tools: () => [draw] })] })
  await host.prompt("Draw")
  expect(await callOf(host)).toMatchObject({
    output: "Drawn.",
    attachments: [{ mime: "image/png", width: 4, height: 3, url: expect.stringMatching(/^attachment:[0-9a-f]{64}$/) }],
  })
  expect(JSON.stringify(asked.at(-1)?.prompt)).toContain('"mediaType":"image/png"')
})

test("rules apply to a tool's own name, and invalid arguments are reported", async () => {
  const tool = (id: string) =>
    defineTool({
      id,
      description: "Does nothing.",
      parameters: {
        jsonSchema: { type: "object", properties: { n: { type: "number" } } },
        parse: () => ({ problems: ["n: is missing"] }),
      },
      permission: id,
      parallel: true,
      execute: async () => ({ title: "", output: "", metadata: {} }),
    })
  const { asked, script } = callOnce("mine_open", {})
  await using host = await scriptedRuntime(script, {
    extensions: [extensionOf({ tools: () => [tool("mine_open"), tool("mine_closed")] })],
    config: { permission: { "mine_cl*": "deny" } },
  })
  await host.prompt("Try")
  const names = asked[0]?.tools?.map(({ name }) => name) ?? []
  expect([names.includes("mine_open"), names.includes("mine_closed")]).toEqual([true, false])
  expect(await callOf(host)).toMatchObject({
    error:
      "The mine_open tool was called with invalid arguments:\n- n: is missing\nIt expects { n?: number }. Call it again with correct arguments.",
  })
})

test("several plugs are asked in their order, and the strictest decides", async () => {
  const first: Plug = { headers: async () => ({ a: "1" }), permission: async () => "allow" }
  const second: Plug = { headers: async (headers) => ({ ...headers, b: "2" }), permission: async () => "deny" }
  const hooks = combineHooks([first, second, {}])
  // These plugs do not read what the call is about.
  const nowhere = undefined as never
  expect(await hooks.headers({}, nowhere)).toEqual({ a: "1", b: "2" })
  expect(await hooks.permission(nowhere)).toBe("deny")
  expect(await combineHooks([]).permission(nowhere)).toBeNull()
  expect(combineHooks([]).stepLimit(nowhere)).toEqual({ limit: null, calls: Number.POSITIVE_INFINITY })
})

test("an extension is asked again about what a later one changed", async () => {
  const seen: unknown[] = []
  const guard: Plug = {
    async beforeCall(input) {
      seen.push(input)
      return input
    },
  }
  const { script } = callOnce("bash", { command: "echo one" })
  await using host = await scriptedRuntime(script, {
    extensions: [guard, { beforeCall: async () => ({ command: "echo two" }) }].map((plug) => extensionOf({ plug })),
    config: { permission: "allow" },
    env: { PATH: process.env.PATH ?? "" },
  })
  await host.prompt("Do it")
  expect(seen).toEqual([{ command: "echo one" }, { command: "echo two" }])
  expect(await callOf(host)).toMatchObject({ status: "completed", input: { command: "echo two" } })
})

test("a call that an extension changes is still seen to repeat", async () => {
  const { script } = callOnce("bash", { command: "echo one" })
  let made = 0
  await using host = await scriptedRuntime(
    (options) => (made++ < 3 ? answer("", { tool: "bash", input: { command: `echo ${made}` } }) : script(options)),
    {
      extensions: [extensionOf({ plug: { beforeCall: async () => ({ command: "echo same" }) } })],
      config: { permission: { bash: "allow" } },
      env: { PATH: process.env.PATH ?? "" },
    },
  )
  const ended = host.prompt("Do it").then(() => null)
  const asked = await Promise.race([ended, host.until((event) => event.type === "permission.asked")])
  if (asked?.type !== "permission.asked") throw new Error("nobody was asked")
  expect(asked.properties.request.permission).toBe("doom_loop")
  await host.runtime.permission.reply(asked.properties.request.id, "reject")
  await ended
})

test("a session is removed though an extension fails, its links first", async () => {
  const shared: number[] = []
  const { script } = callOnce("bash", { command: "true" })
  let count: () => Promise<number> = async () => -1
  await using host = await scriptedRuntime(script, {
    extensions: [
      extensionOf({
        plug: {
          async sessionEnds() {
            shared.push(await count())
            throw new Error("It does not end.")
          },
        },
      }),
    ],
  })
  const { share, session } = host.servicesOf({ person: "local", workspace: "local" })
  count = async () => (await share.list(host.session.id)).filter(({ time }) => time.revoked === null).length
  await share.create(host.session.id)
  expect(await count()).toBe(1)
  await session.remove(host.session.id)
  expect(shared).toEqual([0])
  expect(host.errors).toMatchObject([{ message: "It does not end." }])
  await expect(session.get(host.session.id)).rejects.toMatchObject({ code: "session_not_found" })
})
