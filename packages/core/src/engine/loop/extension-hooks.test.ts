import { isDeepStrictEqual } from "node:util"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { MessageWithParts, Part } from "../../ground/schema/index.ts"
import { readCallChanges } from "../../ground/schema/read-tool-call.ts"
import { extensionOf } from "../../test/extension-of.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"
import type { Plug } from "./hooks.ts"

function withText(message: MessageWithParts, change: (text: string) => string): MessageWithParts {
  const parts = message.parts.map((part): Part => (part.type === "text" ? { ...part, text: change(part.text) } : part))
  return { ...message, parts }
}

test("a plug changes a prompt's stored message and an answer's stored text", async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const plug: Plug = {
    userMessage: async (message) => withText(message, (text) => `${text} [from the plug]`),
    text: async (text) => text.toUpperCase(),
  }
  await using host = await scriptedRuntime(
    (options) => {
      asked.push(options)
      return answer("fine.")
    },
    { extensions: [extensionOf({ plug })] },
  )
  await host.prompt("Hello")
  expect(asked[0] && lastUserText(asked[0])).toContain("Hello [from the plug]")
  const { items } = await host.messages()
  const texts = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
  expect(texts).toEqual(["Hello [from the plug]", "FINE."])
})

test("what a plug makes of the transcript is sent and not stored", async () => {
  const asked: LanguageModelV4CallOptions[] = []
  const plug: Plug = { messages: async (messages) => messages.map((one) => withText(one, () => "hidden")) }
  await using host = await scriptedRuntime(
    (options) => {
      asked.push(options)
      return answer("Done.")
    },
    { extensions: [extensionOf({ plug })] },
  )
  await host.prompt("Secret one")
  await host.prompt("Secret two")
  expect(JSON.stringify(asked.map(({ prompt }) => prompt.filter(({ role }) => role !== "system")))).not.toContain(
    "Secret",
  )
  const { items } = await host.messages()
  expect(JSON.stringify(items)).toContain("Secret two")
})

test("the card names extensions that changed arguments or result", async () => {
  const script = (options: LanguageModelV4CallOptions) =>
    toolResults(options).length > 0 ? answer("Done.") : answer("", { tool: "glob", input: { pattern: "*" } })
  const unchanging: Plug = {
    name: "plugin watcher",
    beforeCall: async (input) => structuredClone(input),
    afterCall: async (result) => result,
  }
  const changing: Plug = {
    name: "plugin guard",
    beforeCall: async () => ({ pattern: "*.md" }),
    afterCall: async (result) => ({ ...result, output: "nothing" }),
  }
  const unnamed: Plug = {
    beforeCall: async (input) => (isDeepStrictEqual(input, { pattern: "*" }) ? { pattern: "*.ts" } : input),
  }
  await using host = await scriptedRuntime(script, {
    extensions: [unnamed, unchanging, changing].map((plug) => extensionOf({ plug })),
  })
  await host.prompt("Look")
  const { items } = await host.messages()
  const calls = items.flatMap(({ parts }) => parts.filter((part) => part.type === "tool"))
  expect(calls.map(readCallChanges)).toEqual([
    [
      { what: "arguments", by: "plugin guard" },
      { what: "result", by: "plugin guard" },
    ],
  ])
})

test("a plug changes what a command expands to", async () => {
  const asked: string[] = []
  const plug: Plug = {
    command: async (parts, command) => [...parts, { type: "text", text: `${command.name} of ${command.arguments}` }],
  }
  await using host = await scriptedRuntime(
    (options) => {
      asked.push(lastUserText(options))
      return answer("Done.")
    },
    { extensions: [extensionOf({ plug })], config: { command: { look: { template: "Look at $ARGUMENTS" } } } },
  )
  await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "command", name: "look", arguments: "a.ts" }] })
  await host.until((event) => event.type === "turn.updated" && event.properties.turn.status === "completed")
  expect(asked[0]).toContain("look of a.ts")
})

test("a plug chooses the model for a title", async () => {
  const chosen: string[] = []
  const plug: Plug = {
    async smallModel(ref, { session }) {
      chosen.push(session.id)
      return ref
    },
  }
  await using host = await scriptedRuntime(() => answer("A title"), { extensions: [extensionOf({ plug })] })
  await host.prompt("Name this")
  await expect.poll(() => chosen).toEqual([host.session.id])
})
