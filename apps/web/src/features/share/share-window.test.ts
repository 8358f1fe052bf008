import { expect, it } from "vitest"
import { earlierLink, laterLink, shareAnchor, shareWindow } from "./share-window.ts"

const page = { own: "/share/s", session: "/share/s" }
const edge = { after: "msg_5", last: "prt_5", before: "msg_3", first: "prt_3" }

it("a share opens at the beginning, or where its address says", () => {
  expect([{}, { part: "prt_1" }, { before: "msg_2" }, { after: "msg_2" }, { end: "1" }].map(shareAnchor)).toEqual([
    { after: "msg_" },
    { around: "prt_1" },
    { before: "msg_2" },
    { after: "msg_2" },
    {},
  ])
  expect(shareWindow({ down: "3", up: "x" })).toEqual({ from: "start", up: 0, down: 3 })
  expect(shareWindow({ part: "prt_1", up: "-4", down: "1e9" })).toEqual({ from: "part", up: 0, down: 9 })
})

it("a page grows to both sides and keeps the reader's place", () => {
  expect(laterLink(page, { part: "prt_4", up: "1" }, edge)).toEqual({
    href: "/share/s?part=prt_4&up=1&down=1#prt_5",
    grow: true,
  })
  expect(earlierLink(page, { part: "prt_4" }, edge)).toEqual({
    href: "/share/s?part=prt_4&up=1#prt_3",
    grow: true,
  })
  expect(laterLink(page, {}, { after: null, last: null })).toBeNull()
})

it("a link leads to another page where this one cannot grow", () => {
  expect(laterLink(page, { down: "9" }, edge)).toEqual({ href: "/share/s?after=msg_5", grow: false })
  expect(laterLink(page, { before: "msg_9" }, edge)).toEqual({ href: "/share/s?after=msg_5", grow: false })
  expect(earlierLink(page, { after: "msg_2" }, edge)).toEqual({ href: "/share/s?before=msg_3", grow: false })
})

it("a link does not repeat the part that its address names", () => {
  const own = { own: "/share/s/p/prt_4", session: "/share/s/c/ses_2" }
  expect(laterLink(own, { part: "prt_4" }, edge)).toEqual({ href: "/share/s/p/prt_4?down=1#prt_5", grow: true })
  expect(laterLink(own, { part: "prt_4", down: "9" }, edge)).toEqual({
    href: "/share/s/c/ses_2?after=msg_5",
    grow: false,
  })
})
