export { formatCost, formatTokens, formatUsage } from "./format-usage.ts"
export { addUsage, noUsage, totalTokens, type Usage } from "./token-usage.ts"
export { type TreeUsage, treeUsage } from "./tree-usage.ts"
