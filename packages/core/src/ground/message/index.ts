export { type ExtensionText, withExtensionWords, withoutExtensionWords } from "./extension-words.ts"
export { commandsOf, noticeOf, plainResults } from "./notice-of.ts"
export { type AnchorState, anchoredText } from "./review-anchor.ts"
export { turnOrder } from "./turn-order.ts"
