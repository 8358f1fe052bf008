import type { Presence, ViewerPlace } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"
import { expect, it } from "vitest"
import { nobody, othersOf } from "./others-of.ts"
import { viewerHref } from "./viewer-href.ts"

const at = (sessionID: string, view: ViewerPlace["view"] = "session") => ({ sessionID, view })

it("tells who else is there and at which sessions, each person once a session, the reader left out", () => {
  const presence: Presence = {
    viewers: [
      { person: "me", places: [at("root")] },
      { person: "ann", places: [at("child", "review"), at("child"), at("root")] },
      { person: "bo", places: [at("child")] },
    ],
    more: 2,
    readers: 3,
  }
  const others = othersOf(presence, "me")
  expect(others.viewers.map(({ person }) => person)).toEqual(["ann", "bo"])
  expect(others).toMatchObject({ more: 2, readers: 3 })
  const looking = [...others.bySession].map(([id, viewers]) => [id, viewers.map(({ person }) => person)])
  expect(Object.fromEntries(looking)).toEqual({ child: ["ann", "bo"], root: ["ann"] })
  expect(othersOf(null, "me")).toBe(nobody)
})

it("leads to where somebody went last, on the page where they are", () => {
  // What an address needs of a tree.
  const tree = {
    rootID: "root",
    sessions: { root: {}, child: {} },
    tasks: { one: { id: "one", sessionID: "child", number: 1, time: { created: 1 } } },
  } as unknown as TreeState
  const address = (...places: ViewerPlace[]) => viewerHref(tree, { person: "ann", places })
  expect(address(at("root"))).toBe("/s/root")
  expect(address(at("child"), at("root"))).toBe("/s/root/c/child")
  expect(address(at("child", "review"))).toBe("/review/root?task=one")
  expect(address(at("root", "review"))).toBe("/review/root?task=root")
  expect(address(at("removed"))).toBeNull()
})
