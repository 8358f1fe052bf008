import { expect, it } from "vitest"
import { drawCard } from "./draw-card.tsx"
import { drawable } from "./drawable.ts"
import type { ShareCard } from "./share-card.ts"
import { shareCard } from "./share-card.ts"

// Only the fields that a card reads.
const session = (title: string) =>
  ({
    id: "ses_1",
    rootID: "ses_1",
    parentID: null,
    title,
    model: { modelID: "m-1" },
    status: { type: "idle" },
    time: { created: 0, updated: 9 },
    tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
    cost: 0,
  }) as unknown as Parameters<typeof shareCard>[1]
const shared = (title: string) =>
  ({
    share: { author: "Zoë Ř. 李", mode: "live" },
    tree: { sessions: [session(title)], todos: {}, tasks: [] },
  }) as unknown as Parameters<typeof shareCard>[0]
const part = (text: string) => ({ id: "prt_1", type: "text", text }) as unknown as Parameters<typeof shareCard>[2]

it("a card holds a limited text in characters that its fonts have", () => {
  const card = shareCard(
    shared("x".repeat(500)),
    session("x".repeat(500)),
    part(`${"word ".repeat(10_000)}\u202E\u001B[31m😀`),
  )
  expect(card.title).toHaveLength(90)
  expect(card.author).toBe("Zoë R. ·")
  expect(card.excerpt?.lines.length).toBe(6)
  expect(JSON.stringify(card)).toMatch(/^[\u0020-\u00FF\u2013\u2014\u2026]+$/)
  expect(shareCard(shared("李白"), session("李白"), null).title).toBe("Shared session")
})

it("a card is drawn without requests, and once for the same text", async () => {
  const real = globalThis.fetch
  const asked: string[] = []
  globalThis.fetch = async (input) => {
    // The renderer loads its own parts from `data:` URLs.
    if (!String(input).startsWith("data:")) asked.push(String(input).slice(0, 100))
    throw new Error("no request may be made")
  }
  try {
    const all = Array.from({ length: 0x100 }, (_, code) => String.fromCharCode(code)).join("")
    const card: ShareCard = {
      title: drawable(`${all} 😀 李 “a” – b…`),
      author: "Ada",
      figures: ["1 s"],
      state: "Live",
      todos: [{ content: "done", status: "completed" }],
      excerpt: { kind: "bash", lines: [drawable(all)], isCode: true },
    }
    const [first, again] = await Promise.all([drawCard(card), drawCard({ ...card })])
    expect(first.subarray(1, 4).toString()).toBe("PNG")
    expect(again).toBe(first)
    expect(asked).toEqual([])
  } finally {
    globalThis.fetch = real
  }
})
