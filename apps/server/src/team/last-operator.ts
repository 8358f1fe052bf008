import { DocketError, type InOrder } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

export interface LastOperatorDeps {
  people: Pick<People, "operators">
  memberships: Pick<Memberships, "ofPerson">
  inOrder: InOrder
}

/** What ends: the mark of a person, their place in a workspace, or a workspace for all of its people. */
export type Ending = { mark: string } | { person: string; workspace: string } | { workspace: string }

/** Does what ends somebody's rights. @throws last_operator when nobody would be left who runs the service */
export type KeepingOperator = <T>(ending: Ending, work: () => Promise<T>) => Promise<T>

/** Workspaces change in the same queue by their ids, which have no blanks: nothing waits for itself. */
const operators = "who runs the service"

/** Keeps somebody who can sign in and runs the service. One after another, so that two that go at once are not both the last but one. */
export function createKeepingOperator({ people, memberships, inOrder }: LastOperatorDeps): KeepingOperator {
  return (ending, work) =>
    inOrder(operators, async () => {
      const all = await Promise.all(
        (await people.operators()).map(async ({ person, name }) => {
          const workspaces = (await memberships.ofPerson(person)).map(({ workspace }) => workspace)
          return { person, name, workspaces }
        }),
      )
      // Who is in no workspace cannot sign in, and keeps nothing.
      const before = all.filter(({ workspaces }) => workspaces.length > 0)
      const left = before.filter(({ person, workspaces }) => workspaces.some((id) => !ends(ending, person, id)))
      const [last] = before
      if (last !== undefined && left.length === 0)
        throw new DocketError(
          "last_operator",
          `${last.name} is the last one who runs this service. Let somebody else run it first: docket team operator add EMAIL.`,
        )
      return work()
    })
}

function ends(ending: Ending, person: string, workspace: string): boolean {
  if ("mark" in ending) return ending.mark === person
  return ending.workspace === workspace && (!("person" in ending) || ending.person === person)
}
