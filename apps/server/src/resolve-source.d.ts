import type { ResolveHookSync } from "node:module"

export const resolveSource: ResolveHookSync
