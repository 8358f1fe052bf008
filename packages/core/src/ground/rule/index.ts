export { type CommandFact, factsOf } from "./command-facts.ts"
export { readingCommand, readsOfCommand, restrictedPatterns } from "./command-reads.ts"
export { namesConfig } from "./config-files.ts"
export { type AskDescription, actPieces, actText, alwaysOfServer, askedText, describeAsk } from "./describe-ask.ts"
export {
  changePermission,
  evaluatePermission,
  evaluateRequest,
  evaluateStrictest,
  type Grant,
  type PermissionQuestion,
  type PermissionVerdict,
  refusedChange,
  UNKNOWN_PATTERN,
} from "./evaluate.ts"
export { type GrantReach, grantReach, grantScopes, reaches } from "./grant-reach.ts"
export { hiddenTools, hidingRules } from "./hidden-tools.ts"
export { type Inquiry, isInquiry } from "./is-inquiry.ts"
export { allowsLocalAddress, matchAddress } from "./match-address.ts"
export { nextPreset, presetLabel, presets } from "./preset-labels.ts"
export { defaultRules, mergeRules, rulesFromConfig } from "./rules.ts"
export { startableAgents, subagents } from "./startable-agents.ts"
export { visibleText } from "./visible-text.ts"
export { matchWildcard } from "./wildcard.ts"
