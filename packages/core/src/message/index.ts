export { commandsOf, noticeOf, plainResults } from "./notice-of.ts"
