import type { ToolContext } from "@docket/core/tool"
import { expect, test } from "vitest"
import { createAsker } from "./create-asker.ts"

/** An asker, and how to answer what it asks with "Yes". */
function asking() {
  const open: (() => void)[] = []
  const texts: string[] = []
  const context: Pick<ToolContext, "sessionID" | "inquire" | "ask" | "askModel"> = {
    sessionID: "ses_1" as ToolContext["sessionID"],
    inquire: ({ metadata }) => {
      if (metadata.kind === "question") texts.push(...metadata.questions.map(({ question }) => question))
      return new Promise((resolve) =>
        open.push(() => resolve({ answers: [{ choices: ["Yes"], own: null }], message: null } as never)),
      )
    },
    ask: async () => undefined as never,
    askModel: async () => ({ text: "", model: { providerID: "a", modelID: "b" }, isCut: false }) as never,
  }
  return { asker: createAsker(context, { server: "s", permission: "s_x", digest: "0123" }), open, texts }
}

const form = (fields = 0) => ({
  message: "Well?",
  requestedSchema: {
    type: "object" as const,
    properties: Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f${at}`, { type: "string" as const }])),
  },
})

test("of two questions of a call one waits for the other", async () => {
  const { asker, open } = asking()
  const [first, second] = [asker.elicit(form()), asker.elicit(form())]
  await expect.poll(() => open.length).toBe(1)
  open[0]?.()
  expect(await first).toMatchObject({ action: "accept" })
  await expect.poll(() => open.length).toBe(2)
  open[1]?.()
  expect(await second).toMatchObject({ action: "accept" })
})

test("a call that has asked 20 times asks no more", async () => {
  const { asker, open } = asking()
  for (let times = 0; times < 20; times++) {
    const answer = asker.elicit(form())
    await expect.poll(() => open.length).toBe(times + 1)
    open[times]?.()
    await answer
  }
  await expect(asker.elicit(form())).rejects.toThrow("A call may ask 20 times")
  expect(open).toHaveLength(20)
})

test("each question of a form names the server that asks", async () => {
  const { asker, texts } = asking()
  void asker.elicit(form(6))
  await expect.poll(() => texts.length).toBeGreaterThan(1)
  for (const text of texts) expect(text).toContain("The MCP server “s”")
})

test("a form of more than 40 fields is not shown", async () => {
  const { asker, open } = asking()
  await expect(asker.elicit(form(41))).rejects.toThrow("A form may have 40 fields")
  expect(open).toHaveLength(0)
})

test("a request to the model that is too long is refused", async () => {
  const { asker } = asking()
  const content = { type: "text" as const, text: "x".repeat(100_000) }
  await expect(asker.sample({ messages: [{ role: "user", content }], maxTokens: 5 })).rejects.toThrow(
    "more than 100000 characters",
  )
})
