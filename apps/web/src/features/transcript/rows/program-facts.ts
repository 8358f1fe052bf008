import type { MessageProgram } from "@docket/core/schema"
import { formatTokens } from "@docket/core/usage"

interface ProgramFact {
  text: string
  why?: string
}

const beginnings: Record<MessageProgram["begun"], string | null> = {
  new: null,
  resumed: "went on with its conversation",
  told: "was told the transcript",
  inside: "as a subagent of its own",
}

/** What people should know of the program that answered in place of a model. */
export function programFacts({ name, version, begun, outside, context }: MessageProgram): ProgramFact[] {
  const beginning = beginnings[begun]
  return [
    { text: version === null ? `runs ${name}` : `runs ${name} ${version}` },
    ...(beginning === null ? [] : [{ text: beginning }]),
    ...(outside === null ? [] : [{ text: "outside the sandbox", why: outside }]),
    ...(context === undefined || context.size === 0
      ? []
      : [{ text: `context ${formatTokens(context.used)} of ${formatTokens(context.size)}` }]),
  ]
}
