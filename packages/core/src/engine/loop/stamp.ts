import type { CreateId } from "../../ground/id/create-id.ts"

/** What new rows are named and dated with. */
export interface Stamp {
  createID: CreateId
  /** Epoch ms. */
  clock: () => number
}
