import type { ShareInfo } from "@docket/core/schema"
import { expect, it } from "vitest"
import { choiceOf, formOf, newForm, problemOf } from "./share-form.ts"

const now = Date.UTC(2026, 10, 22, 12)

it("an untouched form shares everything with the link's holders, without end", () => {
  expect(choiceOf(newForm, now)).toEqual({
    title: null,
    audience: "link",
    shows: { outputs: true, reasoning: true, files: true, pictures: false },
    indexed: false,
    expires: null,
  })
  expect(problemOf(newForm, now)).toBeNull()
})

it("a link ends after some hours or at the typed time", () => {
  expect(choiceOf({ ...newForm, ends: "24" }, now).expires).toBe(now + 86_400_000)
  const time = new Date(2026, 11, 24, 18, 30).getTime()
  expect(choiceOf({ ...newForm, ends: "at", endsAt: "2026-12-24T18:30" }, now).expires).toBe(time)
})

it("an existing share fills the form to the minute", () => {
  const expires = new Date(2026, 11, 24, 8, 5).getTime()
  const shows = { outputs: false, reasoning: true, files: false, pictures: false }
  // Fields that the form does not read are left out.
  const share = { title: "For you", audience: "workspace", mode: "frozen", shows, indexed: true, expires } as ShareInfo
  expect(choiceOf(formOf(share), now)).toEqual({
    title: "For you",
    audience: "workspace",
    shows,
    indexed: true,
    expires,
  })
})

it("a password is sent when typed and removed only on request", () => {
  const sent = (password: string, dropsPassword: boolean) => choiceOf({ ...newForm, password, dropsPassword }, now)
  expect(sent("", false)).not.toHaveProperty("password")
  expect(sent("", true)).toHaveProperty("password", null)
  expect(sent("long enough", true)).toHaveProperty("password", "long enough")
})

it("an invalid form says what is wrong", () => {
  expect(problemOf({ ...newForm, password: "short" }, now)).toContain("8 characters")
  expect(problemOf({ ...newForm, ends: "at", endsAt: "" }, now)).toContain("when")
  expect(problemOf({ ...newForm, ends: "at", endsAt: "2020-01-01T00:00" }, now)).toContain("already")
})
