export { parseWrits } from "./parse-writs.ts"
export { plainWritResults, readWritResults, type WritResult } from "./read-results.ts"
