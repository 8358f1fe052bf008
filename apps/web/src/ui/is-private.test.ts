import { expect, it } from "vitest"
import { isPrivate } from "./is-private.ts"

it("a root that only its author sees is private", () => {
  expect(isPrivate({ parentID: null, visibility: "author" })).toBe(true)
  expect(isPrivate({ parentID: null, visibility: "workspace" })).toBe(false)
  expect(isPrivate({ parentID: null })).toBe(false)
})
