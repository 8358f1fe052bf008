export { parseWrits } from "./parse-writs.ts"
