import { readdir } from "node:fs/promises"
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { Part, ToolPart } from "../../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults, usage } from "../../test/scripted-runtime.ts"

function toolParts(items: { parts: Part[] }[]): ToolPart[] {
  return items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
}

/** The answer with another finish reason, and with this many input tokens. */
function ending(
  parts: LanguageModelV4StreamPart[],
  unified: "stop" | "length" | "error",
  tokens = 10,
): LanguageModelV4StreamPart[] {
  const inputTokens = { total: tokens, noCache: tokens, cacheRead: 0, cacheWrite: 0 }
  return parts.map((part) =>
    part.type === "finish"
      ? { ...part, finishReason: { unified, raw: unified }, usage: { ...usage, inputTokens } }
      : part,
  )
}

const look = { tool: "glob", input: { pattern: "*.txt" } }

test("tool results are sent even when the provider says stop", async () => {
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0 ? answer("I have seen them.") : ending(answer("", look), "stop"),
  )
  await host.prompt("Look")
  const { items } = await host.messages()
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({ text: "I have seen them." })
})

test("calls of a cut or failed answer neither run nor stay pending", async () => {
  let steps = 0
  await using host = await scriptedRuntime(() => {
    steps += 1
    if (steps === 1) return ending(answer("", look), "length")
    if (steps === 2) {
      return [{ type: "tool-input-start", id: "half", toolName: "glob" }, ...answer("Something else.")]
    }
    return ending(answer("", look), "error")
  })
  expect((await host.prompt("Look")).status).toBe("completed")
  expect((await host.prompt("Again")).status).toBe("failed")
  const calls = toolParts((await host.messages()).items)
  expect(calls.map((call) => call.state.status)).toEqual(["error", "error", "error"])
  expect(calls[0]?.state).toMatchObject({ error: expect.stringContaining("output limit"), input: look.input })
  expect(calls[2]?.state).toMatchObject({ error: expect.stringContaining("not run") })
})

test("a turn's record names the message that it wrote", async () => {
  await using host = await scriptedRuntime(() => answer("Hello."))
  const turn = await host.prompt("Hello")
  expect(turn.messageID).toBe((await host.messages()).items[0]?.info.id)
})

test("a prompt is not repeated after a compaction and a crash", async () => {
  let steps = 0
  const first = await scriptedRuntime((options) => {
    if ((options.tools ?? []).length === 0) return answer("The summary.")
    steps += 1
    return steps === 1 ? ending(answer("", look), "stop", 99_000) : new Promise<never>(() => {})
  })
  void first.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "Only once" }] })
  await first.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "text" &&
      event.properties.part.text.startsWith("Continue if"),
  )
  await using second = await scriptedRuntime(() => answer("Went on."), {
    store: first.store,
    directory: first.directory,
  })
  const [turn] = (await second.runtime.session.tree(first.session.id)).turns
  if (turn !== undefined) await second.runtime.prompt.wait(turn.id)
  const texts = (await second.messages(first.session.id)).items.flatMap((item) =>
    item.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  )
  expect(texts.filter((text) => text === "Only once")).toHaveLength(1)
  expect(texts.at(-1)).toBe("Went on.")
})

test("a summary cut by the provider does not replace the conversation", async () => {
  await using host = await scriptedRuntime((options) => {
    if ((options.tools ?? []).length > 0) return ending(answer("", look), "stop", 99_000)
    return [
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Half a" },
    ]
  })
  const turn = host.prompt("Remember me")
  // The summary is tried again after a while; the user does not wait for it.
  await host.until((event) => event.type === "session.updated" && event.properties.info.status.type === "retry")
  await host.runtime.abort(host.session.id)
  expect((await turn).status).toBe("aborted")
  const seen = await host.store.transcript.sinceCompaction(host.session.id)
  expect(seen[0]?.parts[0]).toMatchObject({ text: "Remember me" })
})

test("a chat without tool calls is summarised before it outgrows the context", async () => {
  await using host = await scriptedRuntime((options) => {
    if ((options.tools ?? []).length === 0) return answer("The summary.")
    const count = options.prompt.filter((message) => message.role !== "system").length
    return ending(answer(`I see ${count} messages.`), "stop", 99_000)
  })
  expect((await host.prompt("One")).status).toBe("completed")
  await host.prompt("Two")
  const texts = (await host.messages()).items.flatMap((item) =>
    item.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])),
  )
  expect(texts).toEqual(["One", "I see 1 messages.", "The summary.", "Two", "I see 2 messages.", "The summary."])
  await host.until((event) => event.type === "session.updated" && event.properties.info.title === "A fine title")
  // Each answer, each summary and the title count.
  expect((await host.runtime.session.get(host.session.id)).tokens.output).toBe(25)
})

test.each(["bash", "write"])("%s calls beside a rejected one in the same answer never run", async (tool) => {
  const call = (name: string) => ({
    tool,
    input: tool === "bash" ? { command: `touch ${name}`, description: name } : { filePath: name, content: "x" },
  })
  await using host = await scriptedRuntime(() => answer("", call("a.txt"), call("b.txt")), {
    config: { permission: { edit: "ask", bash: "ask" } },
  })
  const turn = host.prompt("Write both")
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  await host.runtime.permission.reply(asked.properties.request.id, "reject")
  expect((await turn).status).toBe("aborted")
  const calls = toolParts((await host.messages()).items)
  expect(calls.map((part) => part.state.status)).toEqual(["error", "error"])
  expect(await readdir(host.directory)).not.toContain("b.txt")
})

test("the same call in three turns is no loop", async () => {
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0 ? answer("Done.") : answer("", look),
  )
  for (const _ of [1, 2, 3]) expect((await host.prompt("Look again")).status).toBe("completed")
  expect(host.events.some((event) => event.type === "permission.asked")).toBe(false)
})

test("many updates of a running call do not delay later ones", async () => {
  const shown = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    if (lastUserText(options) === "child") {
      if (toolResults(options).length === 0) return answer("", ...Array.from({ length: 20 }, () => look))
      await shown.promise
      return answer("Child done.")
    }
    if (toolResults(options).length > 0) return answer("Done.")
    return answer("", { tool: "task", input: { description: "c", prompt: "child", subagent_type: "general" } })
  })
  const turn = host.prompt("Delegate")
  // The third identical call asks for the permission `doom_loop`.
  const asked = await host.until((event) => event.type === "permission.asked")
  if (asked.type !== "permission.asked") return expect.unreachable()
  await host.runtime.permission.reply(asked.properties.request.id, "always")
  await host.until(
    (event) =>
      event.type === "message.part.updated" &&
      event.properties.part.type === "tool" &&
      event.properties.part.tool === "task" &&
      event.properties.part.state.status === "running" &&
      JSON.stringify(event.properties.part.state.metadata).match(/"status":"completed"/g)?.length === 20,
  )
  shown.resolve()
  expect((await turn).status).toBe("completed")
})

test("a text that pauses while it streams is stored all the same", async () => {
  const rest = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(
    () =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue({ type: "text-start", id: "0" })
          controller.enqueue({ type: "text-delta", id: "0", delta: "before the pause" })
          await rest.promise
          for (const part of answer("")) controller.enqueue(part)
          controller.close()
        },
      }),
  )
  const turn = host.prompt("Talk")
  await host.until((event) => event.type === "message.part.delta")
  const stored = async () => (await host.messages()).items.at(-1)?.parts.find((part) => part.type === "text")
  await expect.poll(stored).toMatchObject({ text: "before the pause" })
  rest.resolve()
  await turn
})

test("a turn that a failing store ends leaves no call running", async () => {
  await using host = await scriptedRuntime((options) =>
    toolResults(options).length > 0 ? answer("Done.") : answer("Looking.", look),
  )
  const { commit } = host.store.write
  let failed = false
  host.store.write.commit = async (batches) => {
    const mutations = batches.flatMap((batch) => batch.mutations)
    if (
      !failed &&
      mutations.some((it) => it.kind === "part" && it.value.type === "tool" && it.value.state.status === "completed")
    ) {
      failed = true
      throw new Error("the disk is full")
    }
    return commit(batches)
  }
  expect(await host.prompt("Look")).toMatchObject({ status: "failed" })
  expect(await host.store.transcript.openToolParts(host.session.id)).toEqual([])
  expect(await host.store.transcript.openMessages(host.session.id)).toEqual([])
  expect((await host.prompt("Look")).status).toBe("completed")
})
