import { expect, it } from "vitest"
import { workspaceLetters } from "./workspace-mark.tsx"

it("a workspace's mark is the first letters of its first two words", () => {
  const names = ["Docket", "globex ltd of Ohio", "7 of 9", "日本 支社", "  ", "(x) y", "ßig"]
  expect(names.map(workspaceLetters)).toEqual(["D", "GL", "7O", "日支", "?", "XY", "SS"])
})
