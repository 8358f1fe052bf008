import { localPerson } from "@docket/core/local-person"
import type { Todo, TodoChange } from "@docket/core/schema"
import { expect, it } from "vitest"
import { withoutAccounts } from "../../ui/people.ts"
import { describeChange } from "./describe-change.ts"

const sentence = (change: TodoChange) => describeChange(change, withoutAccounts(localPerson))

/** A change that adds an item; only the fields that the sentence needs. */
function addition(actor: TodoChange["actor"], person?: string): TodoChange {
  const after = { content: "Plant a tree", status: "pending" } as Todo
  const by = person === undefined ? {} : { by: { person, workspace: "local" } }
  return { actor, before: null, after, ...by } as TodoChange
}

it("a change names its author: the reader, another person, an agent", () => {
  const user = { kind: "user", name: "user" } as const
  const added = "added “Plant a tree”"
  expect(sentence(addition(user, localPerson))).toBe(`You ${added}`)
  expect(sentence(addition(user, "Ann Example"))).toBe(`Ann Example ${added}`)
  expect(sentence(addition(user, "\u202E"))).toBe(`Someone ${added}`)
  // Rows from older versions name no user.
  expect(sentence(addition(user))).toBe(`You ${added}`)
  expect(sentence(addition({ kind: "agent", name: "build" }, localPerson))).toBe(`@build ${added}`)
})
