import { z } from "zod"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { visibleText } from "../../ground/rule/index.ts"
import type { Caller } from "../../ground/schema/index.ts"

export interface PlanEnterDeps {
  /** Has the plan agent go on in the session, once for this call. */
  startPlan(agreed: { sessionID: string; partID: string; by: Caller | undefined }): Promise<void>
}

const agree = "Plan first"
const decline = "Go on without a plan"

const description = `Asks the user to switch to plan mode, in which the work is researched and written down as a plan that they approve before anything changes.

- Use it before large or risky work whose way is open: several parts of the code, a choice between designs, data that is migrated. Not for what is small or has one obvious way, and not when the user said how to do it.
- If they agree, your turn ends and the plan agent goes on. If not, go on yourself.`

const parameters = z.strictObject({
  reason: z.string().trim().min(1).max(500).describe("Why a plan is worth it here, in a sentence for the user"),
})

/** `plan_enter`: an agent proposes plan mode, and a person decides. */
export function createPlanEnterTool(deps: PlanEnterDeps): Tool<typeof parameters> {
  return defineTool({
    id: "plan_enter",
    description,
    parameters,
    permission: "plan_enter",
    parallel: false,
    async execute({ reason }, context) {
      const question = {
        header: "Plan mode",
        question: `Switch to plan mode? ${visibleText(reason)}`,
        options: [
          { label: agree, description: "The plan agent works out a plan, which you approve before anything changes." },
          { label: decline, description: "The agent goes on as it is." },
        ],
        multiple: false,
      }
      const { answers, message, by } = await context.inquire({
        permission: "plan_enter",
        metadata: { kind: "question", questions: [question] },
      })
      const [answer] = answers ?? []
      const title = "Switch to plan mode?"
      if (answer?.choices.includes(agree)) {
        await deps.startPlan({ sessionID: context.sessionID, partID: context.partID, by })
        const output = "The user agrees: the plan agent goes on, and your part ends here."
        return { title, output, metadata: { truncated: false }, ends: true }
      }
      const words = answer?.own ?? message
      const said = words === null ? "" : ` They say: ${quoteFrames(words)}`
      const output = `The user wants no plan first. Go on with the work, and do not ask this again.${said}`
      return { title, output, metadata: { truncated: false } }
    },
  })
}
