import { expect, test } from "vitest"
import { filterGroups } from "./filter-groups.ts"

const groups = [
  {
    group: "This session",
    actions: [
      { id: "undo", label: "Undo the last prompt" },
      { id: "stop", label: "Stop" },
    ],
  },
  { group: "Sessions", actions: [{ id: "ses_1", label: "Another" }] },
  { group: "Go", actions: [{ id: "settings", label: "Go to settings", keywords: ["theme"] }] },
]
const ids = (query: string, recent: string[] = []) =>
  filterGroups(query, groups, recent).map(({ group, actions }) => [group, ...actions.map(({ id }) => id)])

test("without words, what was used last comes first, and everything stays at its place", () => {
  expect(ids("", ["settings", "gone", "undo"])).toEqual([
    ["Recent", "recent:settings", "recent:undo"],
    ["This session", "undo", "stop"],
    ["Sessions", "ses_1"],
    ["Go", "settings"],
  ])
  expect(ids("")[0]).toEqual(["This session", "undo", "stop"])
})

test("words find entries in any order, by other words too, and leave what the server found", () => {
  expect(ids("prompt undo", ["stop"])).toEqual([
    ["This session", "undo"],
    ["Sessions", "ses_1"],
  ])
  expect(ids("theme")).toEqual([
    ["Sessions", "ses_1"],
    ["Go", "settings"],
  ])
})

test("what was found for other words is offered only where it holds these", () => {
  const late = (query: string) => filterGroups(query, groups, [], true).map(({ group }) => group)
  expect(late("theme")).toEqual(["Go"])
  expect(late("another")).toEqual(["Sessions"])
})
