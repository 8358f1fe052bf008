export { crashContract, type MakeCrashable } from "./crash-contract.ts"
export { childOf, root, task, textPart, todo, turn, userMessage } from "./rows.ts"
export { type MakeStore, storeContract } from "./store-contract.ts"
export { type MakeTenants, tenantContract } from "./tenant-contract.ts"
