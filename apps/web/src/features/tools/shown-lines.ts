import type { ShownLines } from "../../ui/fold-text.ts"

/** Lines shown of an answer: a few screens, including its conclusion. */
export const answerLines: ShownLines = { head: 120, tail: 40 }
/** Lines shown of other texts, such as prompts: the beginning and the end. */
export const besideLines: ShownLines = { head: 24, tail: 6 }
