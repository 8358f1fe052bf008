import { type Commit, describeCommit } from "./describe-commit.ts"
import { describeMachine } from "./describe-machine.ts"
import type { Results } from "./results.ts"

/** Where figures come from. */
export type Origin = Commit & Pick<Results, "machine">

/** @throws Error when the checkout has files that differ from its commit */
export function describeOrigin(checkout: string): Origin {
  return { ...describeCommit(checkout), machine: describeMachine() }
}
