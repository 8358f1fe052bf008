import type { Mutation } from "@docket/core/store"

/** A mutation with the number that its change gets. */
export interface Numbered<M extends Mutation = Mutation> {
  rootID: string
  seq: number
  mutation: M
}
