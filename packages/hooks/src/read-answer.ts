import { parseJson } from "@docket/core/parse-json"
import type { HookEvent } from "@docket/core/schema"
import { z } from "zod"
import type { HookEnd } from "./run-command.ts"

/** What a hook wants. */
export interface HookAnswer {
  /** Why what it was told of is not to happen. */
  block: string | null
  decision: "allow" | "ask" | "defer" | "deny" | null
  reason: string
  /** Other arguments of a call, in the words of Claude Code. */
  input: Record<string, unknown> | null
  /** Another output of a call. */
  output: unknown
  /** What the model is told. */
  context: string | null
  /** Why the turn is to end. */
  stop: string | null
  /** What people are told. */
  message: string | null
  /** The turn ends with the refusal. */
  interrupts: boolean
}

/** Characters of a text for the model or for people; more is cut. */
const longest = 10_000
const text = z
  .string()
  .transform((said) =>
    said.length > longest ? `${said.slice(0, longest)}\n[… cut after ${longest} characters]` : said,
  )
  .catch("")

const Specific = z.object({
  permissionDecision: z.enum(["allow", "deny", "ask", "defer"]).optional().catch(undefined),
  permissionDecisionReason: text.optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional().catch(undefined),
  additionalContext: text.optional(),
  initialUserMessage: text.optional(),
  updatedToolOutput: z.unknown().optional(),
  decision: z
    .object({
      behavior: z.enum(["allow", "deny"]),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      message: text.optional(),
      interrupt: z.boolean().optional(),
    })
    .optional()
    .catch(undefined),
})

const Answer = z.object({
  continue: z.boolean().optional().catch(undefined),
  stopReason: text.optional(),
  systemMessage: text.optional(),
  decision: z.enum(["approve", "block"]).optional().catch(undefined),
  reason: text.optional(),
  hookSpecificOutput: Specific.optional().catch(undefined),
})

const nothing: HookAnswer = {
  ...{ block: null, decision: null, reason: "", input: null, output: undefined },
  ...{ context: null, stop: null, message: null, interrupts: false },
}

/** Events at which plain text is for the model. */
const plainText: readonly HookEvent[] = ["UserPromptSubmit", "SessionStart"]

/** Reads what a hook said by its exit code and its output. */
export function readAnswer({ exit, stdout, stderr, failure }: HookEnd, event: HookEvent): HookAnswer {
  if (failure !== null) return nothing
  if (exit === 2) return { ...nothing, block: text.parse(stderr.trim()) || "It gave no reason." }
  const said = stdout.trim()
  const answer = said.startsWith("{") ? Answer.safeParse(parseJson(said)).data : undefined
  if (answer === undefined) {
    const isContext = said !== "" && plainText.includes(event)
    return isContext ? { ...nothing, context: text.parse(said) } : nothing
  }
  const { hookSpecificOutput: specific = {}, reason = "" } = answer
  const { decision: asked } = specific
  const decision = specific.permissionDecision ?? asked?.behavior ?? null
  const context = [specific.additionalContext, specific.initialUserMessage].filter(Boolean).join("\n\n")
  // The older way to allow a call.
  const isApproved = event === "PreToolUse" && answer.decision === "approve" && decision === null
  return {
    block: answer.decision === "block" ? reason || "It gave no reason." : null,
    decision: isApproved ? "allow" : decision,
    reason: specific.permissionDecisionReason ?? asked?.message ?? reason,
    input: specific.updatedInput ?? asked?.updatedInput ?? null,
    output: specific.updatedToolOutput,
    context: context || null,
    stop: answer.continue === false ? answer.stopReason || reason || "A hook ended the work." : null,
    message: answer.systemMessage || null,
    interrupts: asked?.interrupt === true,
  }
}
