import { expect, it } from "vitest"
import { workspaceLetters } from "./workspace-mark.tsx"

it("shows the first letters of a workspace's name", () => {
  const names = ["Docket", "globex ltd of Ohio", "7 of 9", "日本 支社", "  ", "(x) y", "ßig"]
  expect(names.map(workspaceLetters)).toEqual(["D", "GL", "7O", "日支", "?", "XY", "SS"])
})
