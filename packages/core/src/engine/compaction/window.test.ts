import { createHash } from "node:crypto"
import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ChatCompletionRequest } from "@copilotkit/aimock"
import sharp from "sharp"
import { afterEach, describe, expect, test } from "vitest"
import type { MessageWithParts } from "../../ground/schema/index.ts"
import { createProviders } from "../../setup/provider/create-providers.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"
import {
  startWindowProvider,
  type WindowProvider,
  type WindowProviderOptions,
  wires,
} from "../../test/window-provider.ts"
import { rehearsalLoader } from "../rehearsal/load-rehearsal.ts"

/** Run in reverse order after each test. */
const closers: (() => PromiseLike<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Host extends ScriptedRuntime {
  provider: WindowProvider
}

type Wire = (typeof wires)[number]

/** A project with a model behind `wire`, with a window of 50,000 tokens that Docket knows unless `limit` differs. */
async function open(
  wire: Wire,
  options: Omit<WindowProviderOptions, "window"> & { window?: number; limit?: object; config?: object },
): Promise<Host> {
  const { window = 50_000, limit = { context: window, output: 4_000 }, config: more, ...rest } = options
  const provider = await startWindowProvider({ window, ...rest })
  closers.push(() => provider[Symbol.asyncDispose]())
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-window-")))
  closers.push(() => rm(directory, { recursive: true, force: true }))
  const small = { name: "Small", limit: { context: 10_000, output: 2_000 } }
  const models = { [wire.modelID]: { name: "Scripted", limit }, small }
  const own = { npm: wire.npm, options: { baseURL: provider.url + wire.path, apiKey: "test" }, models }
  const config = { model: `own/${wire.modelID}`, small_model: `own/${wire.modelID}`, provider: { own }, ...more }
  const providers = createProviders({
    dataDirectory: directory,
    env: {},
    localServers: [],
    loadRehearsal: rehearsalLoader(),
  })
  const host = await scriptedRuntime(() => answer("never"), {
    directory,
    providers,
    config: { ...config, permission: { bash: "allow" } },
  })
  closers.push(() => host[Symbol.asyncDispose]())
  return Object.assign(host, { provider })
}

const textOf = ({ content }: ChatCompletionRequest["messages"][number]) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n")

/** The user's last message, and the number of messages since: a call and its result are two. */
function situation(request: ChatCompletionRequest): { told: string; since: number } {
  const at = request.messages.findLastIndex((message) => message.role === "user")
  const told = request.messages[at]
  return { told: told === undefined ? "" : textOf(told), since: request.messages.length - 1 - at }
}

const errorsOf = (items: MessageWithParts[]) =>
  items.flatMap(({ info }) => (info.role === "assistant" && info.error !== null ? [info.error] : []))

const outputsOf = (items: MessageWithParts[]) =>
  items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.state.output] : [])),
  )

async function lastText(host: Host): Promise<string | undefined> {
  const last = (await host.messages()).items.at(-1)
  return last?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).at(-1)
}

/** A call that prints 40,000 characters, different for each `n`. */
const printed = (n: number) => ({
  tool: "bash",
  args: { command: `head -c 40000 /dev/zero | tr '\\0' ${n}`, description: `Print ${n}` },
})

/** Docket's notices about the model's window. */
const windowNotices = (items: MessageWithParts[]) =>
  items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && part.notice?.kind === "window" ? [part.notice.text] : [])),
  )

/** A text with this many words. */
const words = (count: number) => "lorem ipsum ".repeat(count / 2)

const longPrompt = `Find the fault. ${"lorem ipsum ".repeat(5_000)}What do you say?`

describe.each(wires)("over $npm", (wire) => {
  test("a prompt of 60,000 characters is made to fit 50,000 tokens", async () => {
    const host = await open(wire, { answer: () => "I have read it." })
    expect(await host.prompt(longPrompt)).toMatchObject({ status: "completed", error: null })
    expect(await lastText(host)).toBe("I have read it.")
    expect((await host.prompt("And now?")).status).toBe("completed")
    const { items } = await host.messages()
    expect(errorsOf(items)).toEqual([])
    expect(host.provider.refusals).toBeGreaterThan(0)
    // The stored message is complete, and the model still gets the user's request.
    expect(items[0]?.parts[0]).toMatchObject({ text: longPrompt })
    const work = host.provider.requests.find(({ purpose }) => purpose === "work")
    expect(work?.text).toContain("Find the fault.")
    expect(work?.text).toContain("What do you say?")
    expect(work?.text).toContain("characters are left out here")
  })

  test("two tool outputs of 40 KB do not end the turn", async () => {
    const host = await open(wire, {
      answer: (request) => {
        const { told, since } = situation(request)
        if (!told.startsWith("Print")) return "Went on."
        return since < 4 ? printed(since) : "Both printed."
      },
    })
    expect(await host.prompt("Print twice")).toMatchObject({ status: "completed", error: null })
    expect(await lastText(host)).toBe("Went on.")
    expect((await host.prompt("And now?")).status).toBe("completed")
    const { items } = await host.messages()
    expect(errorsOf(items)).toEqual([])
    expect(outputsOf(items).map((output) => output.length)).toEqual([40_014, 40_014])
  })

  test("a third compaction within ten steps fails once; the next prompt works", async () => {
    let prints = 0
    const host = await open(wire, {
      answer: (request) => (situation(request).told.startsWith("Say hi") ? "Hi." : printed(prints++ % 10)),
    })
    const turn = await host.prompt("Print for ever")
    expect(turn).toMatchObject({ status: "failed", error: { name: "ContextOverflowError" } })
    expect(turn.error?.message).toContain("summarised 2 times within 10 steps")
    expect(errorsOf((await host.messages()).items)).toEqual([turn.error])
    host.provider.options.answer = () => "Hi."
    expect((await host.prompt("Say hi")).status).toBe("completed")
    expect(await lastText(host)).toBe("Hi.")
    expect(errorsOf((await host.messages()).items)).toHaveLength(1)
  })

  test("a compaction saving under a fifth fails once; the next prompt works", async () => {
    const host = await open(wire, { answer: () => "Answered.", summary: () => "So it was. ".repeat(5_000) })
    const turn = await host.prompt(longPrompt)
    expect(turn).toMatchObject({ status: "failed", error: { name: "ContextOverflowError" } })
    expect(turn.error?.message).toContain("less than a fifth")
    expect(errorsOf((await host.messages()).items)).toEqual([turn.error])
    host.provider.options.summary = () => "## Objective\nFind the fault."
    expect((await host.prompt("And now?")).status).toBe("completed")
    expect(await lastText(host)).toBe("Answered.")
  })
})

// The tests below do not depend on the wire format.
const wire = wires[1]

test("a conversation of several windows is summarised in order, piece by piece", async () => {
  const host = await open(wire, { answer: () => "Noted.", window: 200_000 })
  for (const n of [1, 2, 3]) await host.prompt(`This is note ${n}. ${"lorem ipsum ".repeat(3_000)}`)
  host.provider.options.window = 50_000
  let pieces = 0
  host.provider.options.summary = () => `## Objective\nSummary of ${++pieces} pieces.`
  const before = (await host.runtime.session.get(host.session.id)).tokens.input
  const asked = host.provider.requests.length
  expect(await host.prompt("Which notes?")).toMatchObject({ status: "completed", error: null })
  const requests = host.provider.requests.slice(asked)
  const summaries = requests.filter(({ purpose }) => purpose === "summary")
  expect(summaries.length).toBeGreaterThan(1)
  for (const [index, { text, tokens }] of summaries.entries()) {
    expect(tokens).toBeLessThanOrEqual(50_000)
    if (index > 0) expect(text).toContain(`Summary of ${index} pieces.`)
  }
  const places = summaries.map(({ text }) => [1, 2, 3].filter((n) => text.includes(`This is note ${n}.`)))
  expect(places.flat()).toEqual([1, 2, 3])
  expect(requests.at(-1)?.text).toContain(`Summary of ${summaries.length} pieces.`)
  // The usage of every piece is counted for the session and for the summary's message.
  const spent = (sum: number, { tokens }: { tokens: number }) => sum + tokens
  expect((await host.runtime.session.get(host.session.id)).tokens.input - before).toBe(requests.reduce(spent, 0))
  const { items } = await host.messages()
  const summary = items.find(({ info }) => info.role === "assistant" && info.summary)?.info
  expect(summary?.role === "assistant" && summary.tokens.input).toBe(summaries.reduce(spent, 0))
})

test("with unknown limits, a conversation is summarised once the provider refuses it", async () => {
  const host = await open(wire, { answer: () => "I have read it.", limit: {} })
  expect(await host.prompt(longPrompt.repeat(4))).toMatchObject({ status: "completed", error: null })
  expect((await host.prompt("And now?")).status).toBe("completed")
  expect(errorsOf((await host.messages()).items)).toEqual([])
})

test("a window filled by the system prompt fails with advice every time", async () => {
  const host = await open(wire, { answer: () => "Answered.", window: 3_000, limit: {} })
  for (const prompt of ["Hello", "Hello again"]) {
    const turn = await host.prompt(prompt)
    expect(turn).toMatchObject({ status: "failed", error: { name: "ContextOverflowError" } })
    expect(turn.error?.message).toContain("instructions and tools fill the context")
    expect(turn.error?.message).toContain("Choose a model with a larger context")
  }
  expect(host.provider.requests).toEqual([])
  host.provider.options.window = 50_000
  expect((await host.prompt("And now?")).status).toBe("completed")
})

test("in a nearly filled window a turn completes or advises, losing nothing", async () => {
  const host = await open(wire, { answer: () => "Answered.", window: 12_000 })
  const turn = await host.prompt(longPrompt)
  expect(turn.status === "completed" || turn.error?.message.includes("Choose a model with a larger context")).toBe(true)
  expect((await host.prompt("And now?")).status).toBe("completed")
  expect((await host.messages()).items[0]?.parts[0]).toMatchObject({ text: longPrompt })
})

test("an attachment larger than the window is named, and the turn continues", async () => {
  const host = await open(wire, { answer: () => "I cannot see it." })
  // Noise, which no format makes smaller.
  const noise = createHash("shake256", { outputLength: 60_000 }).update("noise").digest()
  const picture = await sharp(noise, { raw: { width: 200, height: 100, channels: 3 } })
    .png()
    .toBuffer()
  const url = `data:image/png;base64,${picture.toString("base64")}`
  const parts = [
    { type: "text" as const, text: "What is in this picture?" },
    { type: "file" as const, mime: "image/png", url, filename: "plan.png" },
  ]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed", error: null })
  const summary = host.provider.requests.find(({ purpose }) => purpose === "summary")
  expect(summary?.text).toContain("the user attached image/png: plan.png; it cannot be seen any more")
  expect(summary?.text).not.toContain(picture.toString("base64").slice(1_000, 1_100))
  expect((await host.prompt("And now?")).status).toBe("completed")
})

test("a compaction model smaller than the chat model gets smaller pieces", async () => {
  const config = { agent: { compaction: { model: "own/small" } } }
  const host = await open(wire, { answer: () => "I have read it.", windows: { small: 10_000 }, config })
  for (const n of [1, 2]) await host.prompt(`This is note ${n}. ${"lorem ipsum ".repeat(1_000)}`)
  expect(await host.prompt(longPrompt)).toMatchObject({ status: "completed", error: null })
  const summaries = host.provider.requests.filter(({ purpose }) => purpose === "summary")
  expect(summaries.length).toBeGreaterThan(2)
  for (const { tokens } of summaries) expect(tokens).toBeLessThanOrEqual(10_000)
  expect((await host.prompt("And now?")).status).toBe("completed")
  expect(errorsOf((await host.messages()).items)).toEqual([])
})

describe("a request's size before it is sent", () => {
  test("a conversation is compacted before a prompt would exceed the window", async () => {
    const host = await open(wire, { answer: () => "Read.", charactersPerToken: 4 })
    expect((await host.prompt(`First ${words(17_000)}`)).status).toBe("completed")
    expect((await host.prompt(`Second ${words(26_000)}`)).status).toBe("completed")
    expect(host.provider.refusals).toBe(0)
    const purposes = host.provider.requests.map(({ purpose }) => purpose)
    expect(purposes).toContain("summary")
    expect(purposes.at(-1)).toBe("work")
    expect(errorsOf((await host.messages()).items)).toEqual([])
  })

  test("an overlong message is shortened with a notice but stored whole", async () => {
    const host = await open(wire, { answer: () => "Read.", charactersPerToken: 4 })
    const prompt = `Begin here. ${words(70_000)}End here.`
    expect((await host.prompt(prompt)).status).toBe("completed")
    expect((await host.prompt("And now?")).status).toBe("completed")
    expect(host.provider.refusals).toBe(0)
    expect(host.provider.requests.map(({ purpose }) => purpose)).toEqual(["work", "work"])
    const [first] = host.provider.requests
    for (const kept of ["Begin here.", "End here.", "characters are left out here"]) expect(first?.text).toContain(kept)
    const { items } = await host.messages()
    expect(items[0]?.parts[0]).toMatchObject({ text: prompt })
    const notices = windowNotices(items)
    expect(notices).toEqual([expect.stringContaining("too long for Scripted")])
    expect(notices[0]).toContain(prompt.length.toLocaleString("en-US"))
  })

  test("oversized instructions and tools are not sent; the error states the sizes", async () => {
    const host = await open(wire, { answer: () => "Read.", charactersPerToken: 4, window: 2_000 })
    const turn = await host.prompt("Hello")
    expect(turn).toMatchObject({ status: "failed", error: { name: "ContextOverflowError" } })
    expect(turn.error?.message).toMatch(/instructions and tools fill the context.* and Scripted takes 2,000/)
    expect([host.provider.refusals, host.provider.requests]).toEqual([0, []])
  })

  test("a short prompt in a large window leaves no notice", async () => {
    const host = await open(wire, { answer: () => "Read.", charactersPerToken: 4, window: 200_000 })
    await host.prompt("Hello")
    expect(windowNotices((await host.messages()).items)).toEqual([])
  })
})

describe("a server that silently cuts prompts", () => {
  test("is named once in a session, with what to set", async () => {
    const options = { window: 4_096, limit: {}, charactersPerToken: 4, cutsSilently: true }
    const host = await open(wire, { answer: () => "Read.", ...options })
    for (const n of [1, 2, 3]) expect((await host.prompt(`${n} ${words(8_000)}`)).status).toBe("completed")
    const notices = windowNotices((await host.messages()).items)
    expect(notices).toHaveLength(1)
    for (const said of ["4,096", "OLLAMA_CONTEXT_LENGTH", "limit.context"]) expect(notices[0]).toContain(said)
  })

  test("is not named again after a summary", async () => {
    const options = { window: 4_096, limit: {}, charactersPerToken: 4, cutsSilently: true }
    const host = await open(wire, { answer: () => "Read.", ...options })
    await host.prompt(`One ${words(8_000)}`)
    const turn = await host.runtime.prompt.submit(host.session.id, {
      parts: [{ type: "command", name: "compact", arguments: "" }],
    })
    await host.runtime.prompt.wait(turn.id)
    await host.prompt(`Two ${words(8_000)}`)
    expect(windowNotices((await host.messages()).items)).toHaveLength(1)
  })

  test("is not confused with one that counts the whole prompt", async () => {
    const host = await open(wire, { answer: () => "Read.", window: 400_000, limit: {} })
    await host.prompt(`One ${words(8_000)}`)
    expect(windowNotices((await host.messages()).items)).toEqual([])
  })
})
