import { localPerson } from "@docket/core/local-person"
import { expect, it } from "vitest"
import { withoutAccounts } from "../../ui/people.ts"
import { answerLabel, answersOf } from "./answer-labels.ts"

const alone = withoutAccounts(localPerson)
const by = (person: string) => ({ person, workspace: "local" })

it("an answer's label tells who answered, how, and what was asked", () => {
  const asked = "npm test"
  expect(answerLabel({ status: "once", asked, by: by(localPerson) }, alone)).toEqual({
    by: by(localPerson),
    who: "You allowed once",
    asked,
  })
  expect(answerLabel({ status: "rejected", asked, by: by("ann") }, alone)).toEqual({
    by: by("ann"),
    who: "ann rejected",
    asked,
  })
  expect(answerLabel({ status: "always", asked }, alone)).toEqual({ by: null, who: "Allowed for good", asked })
})

it("answers come from a task's milestones, none from older rows", () => {
  const answer = { status: "once", asked: "npm test" } as const
  const moments = [
    { kind: "error" as const, from: 1, until: 1 },
    { kind: "wait" as const, from: 2, until: 3 },
    { kind: "wait" as const, from: 4, until: 5, answer },
  ]
  expect(answersOf({ moments })).toEqual([{ at: 5, answer }])
  expect(answersOf({})).toEqual([])
})
