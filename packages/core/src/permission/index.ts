export { namesConfig } from "./config-files.ts"
export { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
export { evaluatePermission, evaluateStrictest, UNKNOWN_PATTERN } from "./evaluate.ts"
export {
  evaluateRequest,
  type Grant,
  type PermissionQuestion,
  type PermissionVerdict,
} from "./evaluate-request.ts"
export { hiddenTools } from "./hidden-tools.ts"
export { defaultRules, mergeRules, rulesFromConfig } from "./rules.ts"
export { startableAgents, subagents } from "./startable-agents.ts"
export { visibleText } from "./visible-text.ts"
export { matchWildcard } from "./wildcard.ts"
