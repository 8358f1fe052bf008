import type { MessageWithParts, Part } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { fitFirst } from "./fit-first.ts"

const text = (id: string, words = "word") => ({ id, type: "text", text: words })
const call = (id: string, output: string) => ({
  id,
  type: "tool",
  tool: "read",
  state: { status: "completed", input: {}, title: "notes.md", output, metadata: {}, time: { start: 1, end: 2 } },
})

function message(id: number, parts: object[] = [text(`prt_${id}`)]): MessageWithParts {
  // Only the fields that the code reads.
  return { info: { id: `msg_${id}` }, parts } as unknown as MessageWithParts
}

const many = Array.from({ length: 100 }, (_, index) => message(index))
const page = (items: MessageWithParts[]) => ({ items, before: null, after: null, seq: 7 })
const ids = (fitted: ReturnType<typeof fitFirst>) => fitted?.page.items.map(({ info }) => info.id) ?? []
const outputOf = (part: Part | undefined) =>
  part?.type === "tool" && part.state.status === "completed" ? part.state.output : null

describe("fitFirst", () => {
  it("keeps about three screens of the newest messages and counts earlier ones", () => {
    const fitted = fitFirst(page(many), null)
    expect(ids(fitted)).toEqual(many.slice(-40).map(({ info }) => info.id))
    expect(fitted?.page).toMatchObject({ before: "msg_60", after: null, seq: 7 })
  })

  it("keeps what surrounds the linked part or message", () => {
    for (const place of ["prt_50", "msg_50"]) {
      const fitted = fitFirst(page(many), place)
      expect(ids(fitted)).toEqual(many.slice(30, 70).map(({ info }) => info.id))
      expect(fitted?.page).toMatchObject({ before: "msg_30", after: "msg_69" })
    }
  })

  it("keeps the end without the part, and all of a short transcript", () => {
    expect(ids(fitFirst(page(many), "prt_unknown")).at(-1)).toBe("msg_99")
    const short = { ...page(many.slice(0, 3)), before: "msg_0" }
    expect(fitFirst(short, null)).toEqual({ page: short, cut: [] })
  })

  it("holds fewer long messages, and none when one is too long", () => {
    const long = many.map((_, index) => message(index, [text(`prt_${index}`, "x".repeat(20_000))]))
    expect(ids(fitFirst(page(long), null))).toEqual(["msg_98", "msg_99"])
    expect(fitFirst(page([message(1, [text("prt_1", "x".repeat(70_000))])]), null)).toBeNull()
    expect(fitFirst(page([]), null)).toBeNull()
  })

  it("cuts what closed rows hide and names the parts to fetch", () => {
    const items = [message(1, [call("prt_short", "ok"), call("prt_long", "y".repeat(5_000_000)), text("prt_text")])]
    const fitted = fitFirst(page(items), null)
    const parts = fitted?.page.items[0]?.parts ?? []
    expect(fitted?.cut).toEqual(["prt_long"])
    expect(parts.map(outputOf)).toEqual(["ok", "y".repeat(2_000), null])
  })

  it("drops provider metadata without listing the part as cut", () => {
    const signed = { ...text("prt_1"), providerMetadata: { some: { signature: "s".repeat(9_000) } } }
    const fitted = fitFirst(page([message(1, [signed])]), null)
    expect(JSON.stringify(fitted)).not.toContain("sss")
    expect(fitted?.cut).toEqual([])
  })

  it("keeps visible answers and running calls whole", () => {
    const running = { ...call("prt_2", ""), state: { status: "running", metadata: { output: "z".repeat(9_000) } } }
    const items = [message(1, [text("prt_1", "w".repeat(9_000)), running])]
    expect(fitFirst(page(items), null)).toEqual({ page: page(items), cut: [] })
  })
})
