export { parseInlineCommands } from "./parse-inline-commands.ts"
