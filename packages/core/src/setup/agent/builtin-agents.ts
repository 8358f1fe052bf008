import type { Agent, PermissionConfig } from "../../ground/schema/index.ts"
import { compactionPrompt, summaryPrompt, titlePrompt } from "./prompts.ts"

/** The agent of plan mode. */
export const planAgent = "plan"
/** The agent that carries out a plan. */
export const buildAgent = "build"

/** The directory for plans in a project with git, relative to its worktree. */
export const planDirectory = ".docket/plans"
/** The pattern for plan files in rules, before the session's own plan is known. */
export const planFiles = `${planDirectory}/*.md`

/** The rules of plan mode: only the plan may be edited, and only commands known to change nothing may run. */
export const planLimits = {
  edit: { "*": "deny", [planFiles]: "allow" },
  bash_change: "deny",
} as const satisfies PermissionConfig

/** An agent that ships with Docket, before defaults and the user's config are applied. */
export interface BuiltinAgent extends Omit<Agent, "permission" | "native" | "problem"> {
  /** Changes to the default rules. */
  permission: PermissionConfig
}

/** The defaults for an agent's fields. */
export const base = {
  hidden: false,
  model: null,
  variant: null,
  prompt: null,
  temperature: null,
  topP: null,
  steps: null,
  color: null,
  options: {},
} as const

const nothing: PermissionConfig = { "*": "deny" }

export const builtinAgents: readonly BuiltinAgent[] = [
  {
    ...base,
    name: "build",
    description: "Does the work: reads, plans, edits files, runs commands and delegates. The default.",
    mode: "primary",
    permission: { question: "allow", plan_enter: "allow" },
  },
  {
    ...base,
    name: "plan",
    description: "Researches and writes a plan. Changes no file but its plan, and runs only commands that read.",
    mode: "primary",
    permission: { question: "allow", plan_exit: "allow", ...planLimits },
  },
  {
    ...base,
    name: "general",
    description:
      "Carries out a self-contained piece of work with several steps, edits included. Use it for research that needs judgement, or to run independent pieces of work in parallel.",
    mode: "subagent",
    permission: { todowrite: "deny", todoread: "deny" },
  },
  {
    ...base,
    name: "explore",
    description:
      'Reads and searches the codebase, fast, and changes nothing. Use it to find files, definitions and usages, or to answer how something works. Say how deep to look: "quick", "medium" or "thorough".',
    mode: "subagent",
    permission: {
      "*": "deny",
      batch: "allow",
      list: "allow",
      glob: "allow",
      grep: "allow",
      lsp: "allow",
      read: { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" },
      webfetch: "ask",
      websearch: "ask",
      // Writing a memory changes no file, and what the agent learns is worth keeping.
      memory: "allow",
      // Shell commands can write, so the user must allow each.
      bash: "ask",
      external_directory: "ask",
      doom_loop: "ask",
    },
  },
  {
    ...base,
    name: "compaction",
    description: "Condenses a long session.",
    mode: "primary",
    hidden: true,
    prompt: compactionPrompt,
    permission: nothing,
  },
  {
    ...base,
    name: "title",
    description: "Names a session.",
    mode: "primary",
    hidden: true,
    temperature: 0.5,
    prompt: titlePrompt,
    permission: nothing,
  },
  {
    ...base,
    name: "summary",
    description: "Describes what a session changed.",
    mode: "primary",
    hidden: true,
    prompt: summaryPrompt,
    permission: nothing,
  },
]
