import { expect, it } from "vitest"
import { hiddenOf, isOpen, shareFacts, viewsOf } from "./share-facts.ts"

const plain = { audience: "link", mode: "live", hasPassword: false, expires: null, indexed: false } as const

it("a share's facts tell its audience, mode, password and end", () => {
  expect(shareFacts(plain, 0)).toEqual(["anyone with the link", "follows the work", "no end"])
  const other = {
    ...plain,
    audience: "workspace",
    mode: "frozen",
    hasPassword: true,
    indexed: true,
    expires: 5,
  } as const
  expect(shareFacts(other, 0).slice(0, 4)).toEqual(["people signed in here", "frozen", "password", "search engines"])
  expect([shareFacts(other, 0)[4], shareFacts(other, 5)[4]]).toEqual([
    expect.stringMatching(/^ends /),
    expect.stringMatching(/^ended /),
  ])
})

it("a share tells how often it was opened and what it hides", () => {
  expect([0, 1, 7].map((views) => viewsOf({ views }))).toEqual(["not opened yet", "opened once", "opened 7 times"])
  expect(hiddenOf({ hidden: { "AWS access key": 1, "home directory": 12 } })).toBe(
    "home directory 12×, AWS access key 1×",
  )
})

it("a share is open until revoked or expired", () => {
  expect(isOpen({ time: { created: 0, revoked: null }, expires: null }, 9)).toBe(true)
  expect(isOpen({ time: { created: 0, revoked: null }, expires: 9 }, 9)).toBe(false)
  expect(isOpen({ time: { created: 0, revoked: 1 }, expires: null }, 9)).toBe(false)
})
