import { answerSection } from "./answer-section.ts"
import { delegationSection } from "./delegation-section.ts"
import { familySection } from "./family-section.ts"
import type { PromptContext } from "./prompt-context.ts"
import { identitySection, workSection } from "./role-sections.ts"
import { todoSection, toolsSection, verifySection } from "./tool-sections.ts"

const sections = [
  identitySection,
  workSection,
  familySection,
  todoSection,
  delegationSection,
  toolsSection,
  verifySection,
  answerSection,
]

/** The system prompt of an agent that brings none: shared sections, as its role, its tools and its model need them. */
export function defaultPrompt(context: PromptContext): string {
  return sections.flatMap((section) => section(context) ?? []).join("\n\n")
}
