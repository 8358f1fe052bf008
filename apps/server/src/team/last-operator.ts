import { DocketError, type InOrder } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

export interface LastOperatorDeps {
  people: Pick<People, "operators">
  memberships: Pick<Memberships, "ofPerson">
  inOrder: InOrder
}

/** What ends: a user's operator role, their membership, or a whole workspace. */
export type EndingRights = { operator: string } | { person: string; workspace: string } | { workspace: string }

/** Does something that ends rights. @throws last_operator when no operator would be left */
export type KeepingOperator = <T>(ending: EndingRights, work: () => Promise<T>) => Promise<T>

/** Queue key. Workspaces use their ids, which contain no blanks, so nothing waits for itself. */
const operatorsKey = "who runs the service"

/**
 * Ensures that one operator who can sign in is left. In sequence, so that two calls cannot remove the last two
 * operators.
 */
export function createKeepingOperator({ people, memberships, inOrder }: LastOperatorDeps): KeepingOperator {
  return (ending, work) =>
    inOrder(operatorsKey, async () => {
      const all = await Promise.all(
        (await people.operators()).map(async ({ person, name }) => {
          const workspaces = (await memberships.ofPerson(person)).map(({ workspace }) => workspace)
          return { person, name, workspaces }
        }),
      )
      // An operator without a workspace cannot sign in, so they do not count.
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

function ends(ending: EndingRights, person: string, workspace: string): boolean {
  if ("operator" in ending) return ending.operator === person
  return ending.workspace === workspace && (!("person" in ending) || ending.person === person)
}
