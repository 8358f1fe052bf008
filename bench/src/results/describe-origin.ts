import { type Commit, describeCommit } from "./describe-commit.ts"
import { describeMachine } from "./describe-machine.ts"
import type { Results } from "./results.ts"

/** Where results come from. */
export type Origin = Commit & Pick<Results, "machine">

/** @throws Error when files of the checkout differ from its commit */
export function describeOrigin(checkout: string): Origin {
  return { ...describeCommit(checkout), machine: describeMachine() }
}
