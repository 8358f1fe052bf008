import { expect, it } from "vitest"
import { isPrivate } from "./is-private.ts"

it("takes a root that its author alone sees for private", () => {
  expect(isPrivate({ parentID: null, visibility: "author" })).toBe(true)
  expect(isPrivate({ parentID: null, visibility: "workspace" })).toBe(false)
  expect(isPrivate({ parentID: null })).toBe(false)
})
