import { expect, it } from "vitest"
import { rightsOf } from "../../shell/rights.ts"
import { mayHide } from "./may-hide.ts"

const me = { person: "u1", name: "Ada", workspace: "local", role: "owner", via: "login", hasTeam: true } as const
const by = (person: string) => ({ parentID: null, by: { person, workspace: "local" } })

it("people hide their own team sessions; without a team nobody does", () => {
  const sessions = [by("u1"), by("u2"), { ...by("u1"), parentID: "ses_1" }, { parentID: null }]
  const answers = (rights: object) => sessions.map((it) => mayHide(it, rightsOf({ ...me, refused: {}, ...rights })))
  expect(answers({})).toEqual([true, false, false, false])
  expect(answers({ hasTeam: false })).toEqual([false, false, false, false])
  expect(answers({ refused: { prompt: "No." } })).toEqual([false, false, false, false])
})
