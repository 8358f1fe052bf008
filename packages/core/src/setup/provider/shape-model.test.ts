import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import type { Part } from "../../ground/schema/index.ts"
import { scriptedRuntime } from "../../test/scripted-runtime.ts"
import type { Config } from "../config/schema.ts"
import { createProviders } from "./create-providers.ts"
import { readStream } from "./read-stream.ts"

let directory: string
const servers: Server[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "docket-shape-"))
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await rm(directory, { recursive: true, force: true })
})

type Body = { temperature?: number; top_p?: number; seed?: number; messages: { role: string; content: unknown }[] }

/** An OpenAI-compatible server that streams these pieces of text; title requests get another answer. */
async function serve(
  pieces: string[],
  options: { breaks?: boolean } = {},
): Promise<{ baseURL: string; asked: Body[] }> {
  const asked: Body[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Body
    const isTitle = JSON.stringify(body).includes("You name coding sessions")
    if (!isTitle) asked.push(body)
    response.writeHead(200, { "content-type": "text/event-stream" })
    const send = (delta: object, finish: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: finish }]
      response.write(`data: ${JSON.stringify({ id: "1", created: 1, model: "m", choices })}\n\n`)
    }
    for (const content of isTitle ? ["A title"] : pieces) send({ content })
    if (options.breaks && !isTitle) return void setImmediate(() => response.destroy())
    send({}, "stop")
    response.end("data: [DONE]\n\n")
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("no port")
  return { baseURL: `http://127.0.0.1:${address.port}/v1`, asked }
}

type ProviderConfig = NonNullable<Config["provider"]>[string]

/** The texts and thinking of an answer in the transcript, as `[type, text]`, without blank ones. */
async function transcribed(
  baseURL: string,
  { model = {}, ...provider }: ProviderConfig & { model?: object } = {},
): Promise<string[][]> {
  const config = { provider: { lab: { ...provider, options: { baseURL }, models: { m: model } } }, model: "lab/m" }
  const providers = createProviders({
    dataDirectory: join(directory, ".data"),
    env: {},
    localServers: [],
    loadRehearsal: rehearsalLoader(),
    home: join(directory, ".home"),
  })
  await using host = await scriptedRuntime(() => [], { directory, providers, config })
  await host.prompt("go")
  const { items } = await host.messages()
  return items.flatMap(({ info, parts }) => (info.role === "assistant" ? parts.flatMap(said) : []))
}

function said(part: Part): string[][] {
  return (part.type === "text" || part.type === "reasoning") && part.text.trim() !== "" ? [[part.type, part.text]] : []
}

describe("thoughts that a model writes into its text", () => {
  it("become separate reasoning, even with tags split across chunks", async () => {
    const { baseURL } = await serve(["<th", "ink>Is it", " four?</", "think", ">\n\nIt is", " four."])
    expect(await transcribed(baseURL)).toEqual([
      ["reasoning", "Is it four?"],
      ["text", "\n\nIt is four."],
    ])
  })

  it("are reasoning to the end when they are never closed", async () => {
    const { baseURL } = await serve(["<think>", "Still at ", "it </thin"])
    expect(await transcribed(baseURL)).toEqual([["reasoning", "Still at it </thin"]])
  })

  it("that come between texts are all separated from them", async () => {
    const { baseURL } = await serve(["<think>One.</think>Two. <think>Three.</think>Four."])
    expect(await transcribed(baseURL)).toEqual([
      ["reasoning", "One."],
      ["text", "Two. \nFour."],
      ["reasoning", "\nThree."],
    ])
  })

  it("are found with the opening tag in the prompt or another tag", async () => {
    const inside = await serve(["Hm.", "</think>", "Yes."])
    const model = { reasoning_tag: { begins_inside: true } }
    expect(await transcribed(inside.baseURL, { model })).toEqual([
      ["reasoning", "Hm."],
      ["text", "Yes."],
    ])
    const other = await serve(["<thought>Hm.</thought>Yes."])
    expect(await transcribed(other.baseURL, { reasoning_tag: "thought" })).toEqual([
      ["reasoning", "Hm."],
      ["text", "Yes."],
    ])
  })

  it("are kept when the connection breaks in the middle of them", async () => {
    const { baseURL } = await serve(["<think>Half a", " thought"], { breaks: true })
    const providers = createProviders({
      dataDirectory: directory,
      env: {},
      localServers: [],
      loadRehearsal: rehearsalLoader(),
    })
    const config: Config = { provider: { lab: { options: { baseURL }, models: { m: {} } } } }
    const { model } = await providers.resolve({ providerID: "lab", modelID: "m" }, config)
    const limits = { signal: new AbortController().signal, timeoutMs: 5_000 }
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "go" }] }]
    let thoughts = ""
    const read = async () => {
      for await (const part of readStream(model, { prompt }, limits)) {
        if (part.type === "reasoning-delta") thoughts += part.delta
        if (part.type === "error") throw part.error
      }
    }
    await expect(read()).rejects.toThrow()
    expect(thoughts).toBe("Half a thought")
  })

  it("stay text where config says so", async () => {
    const { baseURL } = await serve(["<think>Hm.</think>Yes."])
    expect(await transcribed(baseURL, { reasoning_tag: false })).toEqual([["text", "<think>Hm.</think>Yes."]])
  })
})

describe("settings", () => {
  it("of a model override its provider's", async () => {
    const { baseURL, asked } = await serve(["Hi."])
    const config = { settings: { temperature: 0.1, top_p: 0.2 }, model: { settings: { top_p: 0.3, seed: 7 } } }
    await transcribed(baseURL, config)
    expect(asked[0]).toMatchObject({ temperature: 0.1, top_p: 0.3, seed: 7 })
  })
})

describe("a middleware of the user", () => {
  const place = () => join(directory, ".home/.config/docket/middleware")
  const write = async (name: string, source: string) => {
    await mkdir(place(), { recursive: true })
    await writeFile(join(place(), name), source)
  }

  it("changes what is asked, and sees thoughts apart from text", async () => {
    await write(
      "loud.mjs",
      `export default {
        transformParams: async ({ params }) => ({ ...params, temperature: 0.9 }),
        wrapStream: async ({ doStream }) => {
          const { stream, ...rest } = await doStream()
          const loud = new TransformStream({
            transform(part, out) {
              out.enqueue(part.type === "text-delta" ? { ...part, delta: part.delta.toUpperCase() } : part)
            },
          })
          return { stream: stream.pipeThrough(loud), ...rest }
        },
      }`,
    )
    const { baseURL, asked } = await serve(["<think>hm</think>yes"])
    expect(await transcribed(baseURL, { middleware: ["loud"] })).toEqual([
      ["reasoning", "hm"],
      ["text", "YES"],
    ])
    expect(asked[0]?.temperature).toBe(0.9)
  })

  it("that is missing, throws or exports something else is reported with file", async () => {
    await write("broken.mjs", "throw new Error('no key sk-secret-123456789')")
    await write("other.mjs", "export default 5")
    const { baseURL } = await serve(["Hi."])
    const providers = createProviders({
      dataDirectory: directory,
      env: {},
      localServers: [],
      loadRehearsal: rehearsalLoader(),
      home: join(directory, ".home"),
    })
    const resolve = (name: string) =>
      providers.resolve(
        { providerID: "lab", modelID: "m" },
        { provider: { lab: { options: { baseURL }, middleware: [name], models: { m: {} } } } },
      )
    await expect(resolve("absent")).rejects.toThrow(`There is no middleware "absent" in ${place()}`)
    await expect(resolve("broken")).rejects.toThrow(/broken\.mjs cannot be loaded: no key \[key\]$/)
    await expect(resolve("other")).rejects.toThrow(/other\.mjs exports no middleware/)
  })
})
