export { plainWords } from "./inert-markdown.ts"
export { messageText, sessionHead } from "./session-markdown.ts"
