import type { Presence, ViewerPlace } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"
import { expect, it } from "vitest"
import { nobody, othersOf } from "./others-of.ts"
import { placeHref } from "./place-href.ts"
import { placeLabel } from "./place-label.ts"

const at = (sessionID: string, view: ViewerPlace["view"] = "session") => ({ sessionID, view })

it("other people are listed with their sessions, once for each session", () => {
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

/** The part of a tree that an address needs. */
const tree = {
  rootID: "root",
  sessions: {
    root: { title: "Tidy up", time: { created: 1 } },
    child: { title: "Find the callers", time: { created: 1 } },
  },
  tasks: { one: { id: "one", sessionID: "child", number: 1, time: { created: 1 } } },
} as unknown as TreeState

it("a viewer's place links to its page; a removed session has none", () => {
  const address = (place: ViewerPlace) => placeHref(tree, place)
  expect(address(at("root"))).toBe("/s/root")
  expect(address(at("child"))).toBe("/s/root/c/child")
  expect(address(at("child", "review"))).toBe("/review/root?task=one")
  expect(address(at("root", "review"))).toBe("/review/root?task=root")
  expect(address(at("removed"))).toBeNull()
})

it("the label of a place says what its viewer does", () => {
  expect(placeLabel(tree, at("root"))).toBe("reads “Tidy up”")
  expect(placeLabel(tree, at("child", "review"))).toBe("reviews “Find the callers”")
  expect(placeLabel(tree, at("removed"))).toBeNull()
})
