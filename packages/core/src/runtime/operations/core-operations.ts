import { reviewOperations } from "./review-operations.ts"

/** What a caller may ask of the runtime, by area. */
export const coreOperations = { review: reviewOperations }
export type CoreOperations = typeof coreOperations
