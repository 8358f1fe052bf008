import { expect, it } from "vitest"
import { Place } from "./place.ts"

it.each(["any", "host:hst_01a20035e57b0000j8qu5Ynbd1", "storage:team-1"])("%s is a place", (place) => {
  expect(Place.parse(place)).toBe(place)
})

it.each(["", "Any", "host:", "host:prj_01a20035e57b0000j8qu5Ynbd1", "storage:", "storage:A", "storage:-a", "any\n"])(
  "%j is no place",
  (place) => {
    expect(Place.safeParse(place).error?.message).toContain("expected host:<id of a host>")
  },
)
