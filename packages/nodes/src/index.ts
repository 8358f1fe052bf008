export type { Calls } from "./calls.ts"
export type { Duties } from "./duties.ts"
export type { News } from "./news.ts"
export { type NodeLinks, openNodeLinks } from "./open-links.ts"
