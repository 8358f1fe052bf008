import type { MessageWithParts } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { fitRows } from "./fit-rows.ts"

function message(id: number, parts = 1): MessageWithParts {
  // Only ids and part counts are read.
  const list = Array.from({ length: parts }, (_, index) => ({ id: `prt_${id}_${index}` }))
  return { info: { id: `msg_${id}` }, parts: list } as unknown as MessageWithParts
}

const items = Array.from({ length: 10 }, (_, index) => message(index))
const page = { items, before: null, after: null }
const ids = (fitted: { messages: MessageWithParts[] }) => fitted.messages.map(({ info }) => info.id)

describe("fitRows", () => {
  it("keeps the newest messages and links to the earlier ones", () => {
    const fitted = fitRows(page, {}, 6)
    expect(ids(fitted)).toEqual(["msg_7", "msg_8", "msg_9"])
    expect(fitted).toMatchObject({ before: "msg_7", after: null })
  })

  it("keeps the first messages when reading on", () => {
    const fitted = fitRows({ items, before: "msg_0", after: "msg_9" }, { after: "msg_x" }, 6)
    expect(ids(fitted)).toEqual(["msg_0", "msg_1", "msg_2"])
    expect(fitted).toMatchObject({ before: "msg_0", after: "msg_2" })
  })

  it("keeps what surrounds the linked part", () => {
    expect(ids(fitRows(page, { part: "prt_5_0" }, 6))).toEqual(["msg_4", "msg_5", "msg_6"])
  })

  it("keeps one message even when it alone is too long", () => {
    expect(ids(fitRows({ items: [message(1), message(2, 90)], before: null, after: null }, {}, 6))).toEqual(["msg_2"])
  })

  it("leaves a short or empty page as it is", () => {
    expect(ids(fitRows(page, {}, 60))).toHaveLength(10)
    expect(fitRows({ items: [], before: null, after: null }, {}, 60)).toEqual({
      messages: [],
      before: null,
      after: null,
    })
  })
})
