import { changesOperations } from "./changes-operations.ts"
import { planOperations } from "./plan-operations.ts"
import { presenceOperations } from "./presence-operations.ts"
import { reviewOperations } from "./review-operations.ts"
import { searchOperations } from "./search-operations.ts"
import { taskOperations } from "./task-operations.ts"

/** What a caller may ask of the runtime, by area. */
export const coreOperations = {
  search: searchOperations,
  task: taskOperations,
  review: reviewOperations,
  changes: changesOperations,
  plan: planOperations,
  presence: presenceOperations,
}
export type CoreOperations = typeof coreOperations
