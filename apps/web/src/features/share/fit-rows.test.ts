import type { MessageWithParts } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { fitRows } from "./fit-rows.ts"
import type { ShareWindow } from "./share-window.ts"

function message(id: number, parts = 1, text = ""): MessageWithParts {
  // The code reads only ids, counts and texts.
  const list = Array.from({ length: parts }, (_, index) => ({ id: `prt_${id}_${index}`, type: "text", text }))
  return { info: { id: `msg_${id}` }, parts: list } as unknown as MessageWithParts
}

const items = Array.from({ length: 10 }, (_, index) => message(index))
const page = { items, before: null, after: null }
const ids = (fitted: { messages: MessageWithParts[] }) => fitted.messages.map(({ info }) => info.id)
const room = { rows: 6, elements: 10_000 }
const at = (from: ShareWindow["from"], more: { up?: number; down?: number; part?: string } = {}) => ({
  from,
  up: 0,
  down: 0,
  ...more,
})

describe("fitRows", () => {
  it("keeps the first messages and tells where the later ones begin", () => {
    const fitted = fitRows(page, at("start"), room)
    expect(ids(fitted)).toEqual(["msg_0", "msg_1", "msg_2"])
    expect(fitted).toMatchObject({ before: null, after: "msg_2" })
  })

  it("keeps the newest messages for a reader who asks for the end", () => {
    const fitted = fitRows(page, at("end"), room)
    expect(ids(fitted)).toEqual(["msg_7", "msg_8", "msg_9"])
    expect(fitted).toMatchObject({ before: "msg_7", after: null })
  })

  it("keeps what surrounds the linked part", () => {
    expect(ids(fitRows(page, at("part", { part: "prt_5_0" }), room))).toEqual(["msg_4", "msg_5", "msg_6"])
  })

  it("grows by a range to either side and keeps its messages", () => {
    expect(ids(fitRows(page, at("start", { down: 1 }), room))).toEqual(items.slice(0, 6).map(({ info }) => info.id))
    expect(ids(fitRows(page, at("part", { part: "prt_5_0", up: 1, down: 9 }), room))).toEqual(
      items.slice(1).map(({ info }) => info.id),
    )
  })

  it("counts the elements of long answers, not rows alone", () => {
    const long = Array.from({ length: 10 }, (_, index) => message(index, 1, "word ".repeat(1_000)))
    expect(ids(fitRows({ ...page, items: long }, at("start"), { rows: 60, elements: 600 }))).toEqual(["msg_0", "msg_1"])
  })

  it("keeps one message even when it alone is too long", () => {
    const two = { items: [message(1), message(2, 90)], before: null, after: null }
    expect(ids(fitRows(two, at("end"), room))).toEqual(["msg_2"])
    expect(ids(fitRows(two, at("start", { down: 1 }), { rows: 2, elements: 10_000 }))).toEqual(["msg_1", "msg_2"])
  })

  it("leaves a short or empty page as it is", () => {
    expect(ids(fitRows(page, at("start"), { rows: 60, elements: 10_000 }))).toHaveLength(10)
    expect(fitRows({ items: [], before: null, after: null }, at("start"), room)).toEqual({
      messages: [],
      before: null,
      after: null,
    })
  })
})
