import type { Mutation } from "@docket/core/store"

/** A mutation with the sequence number of its change. */
export interface Numbered<M extends Mutation = Mutation> {
  rootID: string
  seq: number
  mutation: M
}
