import type { ShownLines } from "../../ui/fold-text.ts"

/** What an answer shows: a few screens, its conclusion too. */
export const answerLines: ShownLines = { head: 120, tail: 40 }
/** What stands beside the answers, as prompts do, shows its beginning and how it ends. */
export const besideLines: ShownLines = { head: 24, tail: 6 }
