import { expect, it } from "vitest"
import { rightsOf } from "../../shell/rights.ts"
import { mayHide } from "./may-hide.ts"

const me = { person: "u1", name: "Ada", workspace: "local", role: "owner", via: "login", hasTeam: true } as const
const by = (person: string) => ({ parentID: null, by: { person, workspace: "local" } })

it("people hide their own team sessions; without a team nobody does", () => {
  const asked = [by("u1"), by("u2"), { ...by("u1"), parentID: "ses_1" }, { parentID: null }]
  const of = (rights: object) => asked.map((it) => mayHide(it, rightsOf({ ...me, refused: {}, ...rights })))
  expect(of({})).toEqual([true, false, false, false])
  expect(of({ hasTeam: false })).toEqual([false, false, false, false])
  expect(of({ refused: { prompt: "No." } })).toEqual([false, false, false, false])
})
