export { parseWrits } from "./parse-writs.ts"
export { plainWritResults, readWritResults, runningWrits, type WritResult } from "./read-results.ts"
