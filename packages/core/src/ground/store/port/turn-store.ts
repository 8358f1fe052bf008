import type { Turn } from "../../schema/index.ts"

export interface TurnStore {
  get(id: string): Promise<Turn | null>
  /** Queued and running turns, oldest first, of one session, of a tree or of all. */
  open(scope?: { sessionID?: string; rootID?: string }): Promise<Turn[]>
  /** Every turn of the tree, ended ones too, oldest first. */
  tree(rootID: string): Promise<Turn[]>
}
