export { type ReplayAxis, replayAxis, stopFrom } from "./replay-axis.ts"
export type { Moment, Past } from "./timeline.ts"
export { type Stop, stopsOf, treeAt } from "./tree-at.ts"
