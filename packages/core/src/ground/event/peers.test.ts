import { expect, test } from "vitest"
import type { DocketEvent } from "../schema/index.ts"
import { addNews, type PeerNews } from "./peers.ts"

const delta = (partID: string, offset: number, text: string): DocketEvent => ({
  ...{ type: "message.part.delta", rootID: "ses_a", seq: null },
  properties: { sessionID: "ses_a", messageID: "msg_a", partID, offset, text },
})
const events = (...all: DocketEvent[]): PeerNews => ({ kind: "events", events: all })
const gather = (...all: PeerNews[]) => all.reduce<PeerNews[]>(addNews, [])

test("text that continues earlier text of a part becomes one event", () => {
  const [news] = gather(
    events(delta("prt_a", 0, "Hel")),
    events(delta("prt_b", 5, "in")),
    events(delta("prt_a", 3, "lo")),
    events(delta("prt_b", 7, "between")),
  )
  expect(news).toEqual(events(delta("prt_a", 0, "Hello"), delta("prt_b", 5, "inbetween")))
})

test("text after a gap stays an event of its own", () => {
  const gap = [delta("prt_a", 0, "Hel"), delta("prt_a", 4, "o")]
  expect(gather(...gap.map((it) => events(it)))).toEqual([events(...gap)])
})

test("changes of a tree are told as one stretch", () => {
  const told = gather(
    { kind: "rows", rootID: "ses_a", since: 4, to: 5, lists: false },
    { kind: "rows", rootID: "ses_b", since: 0, to: 1, lists: false },
    { kind: "rows", rootID: "ses_a", since: 7, to: 8, lists: true },
  )
  expect(told).toEqual([
    { kind: "rows", rootID: "ses_a", since: 4, to: 8, lists: true },
    { kind: "rows", rootID: "ses_b", since: 0, to: 1, lists: false },
  ])
})

test("a copy that grows twice is told once", () => {
  const copied: PeerNews = { kind: "copied", shareID: "shr_a" }
  expect(gather(copied, { kind: "copied", shareID: "shr_b" }, copied)).toHaveLength(2)
})
