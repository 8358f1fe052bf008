import { expect, it } from "vitest"
import { treeLines } from "./tree-lines.ts"

const session = (id: string, parentID: string | null) => ({
  id,
  parentID,
  title: id,
  agent: "explore",
  time: { created: 1, updated: 1, archived: null },
  parts: 1,
  size: 1,
})
const sessions = [session("root", null), session("a", "root"), session("b", "root"), session("below a", "a")]

it("each child stands under the session that delegated to it", () => {
  expect(treeLines(sessions, new Set()).map(({ id, depth }) => [id, depth])).toEqual([
    ["root", 0],
    ["a", 1],
    ["below a", 2],
    ["b", 1],
  ])
})

it("a child's line has its title without the agent's name", () => {
  const child = { ...session("a", "root"), title: "Map the layout (@explore subagent)" }
  expect(treeLines([session("root", null), child], new Set()).map(({ title }) => title)).toEqual([
    "root",
    "Map the layout",
  ])
})

it("leaving out a session leaves out everything below it", () => {
  const lines = treeLines(sessions, new Set(["a"]))
  expect(lines.map(({ id, isShown, isBelowLeft }) => [id, isShown, isBelowLeft])).toEqual([
    ["root", true, false],
    ["a", false, false],
    ["below a", false, true],
    ["b", true, false],
  ])
})
