import type { ShareInfo } from "@docket/core/schema"
import { expect, it } from "vitest"
import { choiceOf, formOf, newForm, problemOf } from "./share-form.ts"

const now = Date.UTC(2026, 10, 22, 12)

it("a form that nobody touched shares everything with whoever has the link, for ever", () => {
  expect(choiceOf(newForm, now)).toEqual({
    title: null,
    audience: "link",
    shows: { outputs: true, reasoning: true, files: true },
    indexed: false,
    expires: null,
  })
  expect(problemOf(newForm, now)).toBeNull()
})

it("a link ends so many hours from now, or at the time that was typed", () => {
  expect(choiceOf({ ...newForm, ends: "24" }, now).expires).toBe(now + 86_400_000)
  const time = new Date(2026, 11, 24, 18, 30).getTime()
  expect(choiceOf({ ...newForm, ends: "at", endsAt: "2026-12-24T18:30" }, now).expires).toBe(time)
})

it("a share that is there gives the form that gives it again, to the minute", () => {
  const expires = new Date(2026, 11, 24, 8, 5).getTime()
  const shows = { outputs: false, reasoning: true, files: false }
  // What the form does not read is left out.
  const share = { title: "For you", audience: "workspace", mode: "frozen", shows, indexed: true, expires } as ShareInfo
  expect(choiceOf(formOf(share), now)).toEqual({
    title: "For you",
    audience: "workspace",
    shows,
    indexed: true,
    expires,
  })
})

it("a password is sent when one is typed, and taken off only when that is chosen", () => {
  const sent = (password: string, dropsPassword: boolean) => choiceOf({ ...newForm, password, dropsPassword }, now)
  expect(sent("", false)).not.toHaveProperty("password")
  expect(sent("", true)).toHaveProperty("password", null)
  expect(sent("long enough", true)).toHaveProperty("password", "long enough")
})

it("says what is wrong before anything is sent", () => {
  expect(problemOf({ ...newForm, password: "short" }, now)).toContain("8 characters")
  expect(problemOf({ ...newForm, ends: "at", endsAt: "" }, now)).toContain("when")
  expect(problemOf({ ...newForm, ends: "at", endsAt: "2020-01-01T00:00" }, now)).toContain("already")
})
