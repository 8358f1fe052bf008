export { parseWrits } from "./parse-writs.ts"
export { plainWritResults, readChildResults, readWritResults, runningWrits, type WritResult } from "./read-results.ts"
