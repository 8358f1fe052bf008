export { type Stop, stopsOf } from "./past-span.ts"
export { type ReplayAxis, replayAxis, stopFrom } from "./replay-axis.ts"
export type { Moment, Past } from "./timeline.ts"
export { treeAt } from "./tree-at.ts"
