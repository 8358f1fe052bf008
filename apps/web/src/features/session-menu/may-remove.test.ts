import { expect, it } from "vitest"
import { rightsOf } from "../../shell/rights.ts"
import { mayRemove } from "./may-remove.ts"

const me = { person: "u1", name: "Ada", workspace: "local", role: "owner", via: "login", hasTeam: true } as const
const by = (person: string) => ({ by: { person, workspace: "local" } })

it("people remove their own sessions, managers also those of others", () => {
  const sessions = [by("u1"), by("u2"), {}]
  const answers = (refused: object) => sessions.map((it) => mayRemove(it, rightsOf({ ...me, refused })))
  expect(answers({ "sessions.manage": "No." })).toEqual([true, false, false])
  expect(answers({})).toEqual([true, true, true])
  expect(answers({ prompt: "No." })).toEqual([false, false, false])
  const imported = { ...by("imported:u2"), imported: { from: "docket", at: 1, ...by("u1") } } as const
  const refused = { "sessions.manage": "No." }
  expect(mayRemove(imported, rightsOf({ ...me, refused }))).toBe(true)
  expect(mayRemove(imported, rightsOf({ ...me, person: "u2", refused }))).toBe(false)
})
