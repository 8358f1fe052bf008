import { expect, it } from "vitest"
import { rightsOf } from "../../shell/rights.ts"
import { mayChange } from "./may-change.ts"

const me = { person: "u1", name: "Ada", workspace: "local", role: "owner", via: "login", hasTeam: true } as const
const by = (person: string) => ({ by: { person, workspace: "local" } })

it("people change their own links, managers also those of others", () => {
  const shares = [by("u1"), by("u2"), {}]
  const answers = (refused: object) => shares.map((it) => mayChange(it, rightsOf({ ...me, refused })))
  expect(answers({ "shares.manage": "No." })).toEqual([true, false, false])
  expect(answers({})).toEqual([true, true, true])
  expect(answers({ share: "No." })).toEqual([false, false, false])
})
