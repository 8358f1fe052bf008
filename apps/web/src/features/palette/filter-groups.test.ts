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

test("without a query, recent entries come first and others keep their order", () => {
  expect(ids("", ["settings", "gone", "undo"])).toEqual([
    ["Recent", "recent:settings", "recent:undo"],
    ["This session", "undo", "stop"],
    ["Sessions", "ses_1"],
    ["Go", "settings"],
  ])
  expect(ids("")[0]).toEqual(["This session", "undo", "stop"])
})

test("entries match words in any order; server results stay", () => {
  expect(ids("prompt undo", ["stop"])).toEqual([
    ["This session", "undo"],
    ["Sessions", "ses_1"],
  ])
  expect(ids("theme")).toEqual([
    ["Sessions", "ses_1"],
    ["Go", "settings"],
  ])
})

test("late results for another query are offered only when they match", () => {
  const late = (query: string) => filterGroups(query, groups, [], true).map(({ group }) => group)
  expect(late("theme")).toEqual(["Go"])
  expect(late("another")).toEqual(["Sessions"])
})
