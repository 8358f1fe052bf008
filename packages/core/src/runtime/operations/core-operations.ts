import { changesOperations } from "./changes-operations.ts"
import { memoryOperations } from "./memory-operations.ts"
import { planOperations } from "./plan-operations.ts"
import { presenceOperations } from "./presence-operations.ts"
import { reviewOperations } from "./review-operations.ts"
import { scheduleOperations } from "./schedule-operations.ts"
import { searchOperations } from "./search-operations.ts"
import { taskOperations } from "./task-operations.ts"
import { todoOperations } from "./todo-operations.ts"

/** What a caller may ask of the runtime, by area. */
export const coreOperations = {
  search: searchOperations,
  task: taskOperations,
  review: reviewOperations,
  changes: changesOperations,
  todo: todoOperations,
  memory: memoryOperations,
  schedule: scheduleOperations,
  plan: planOperations,
  presence: presenceOperations,
}
export type CoreOperations = typeof coreOperations
