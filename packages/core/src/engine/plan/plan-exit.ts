import { z } from "zod"
import { answerer } from "../../acts/tool/answerer.ts"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../acts/tool/tool.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { Caller, PermissionRequest, Question } from "../../ground/schema/index.ts"
import type { PlanMetadata } from "../../ground/schema/tool-metadata.ts"
import type { PlanDocument } from "./plan-document.ts"

export interface PlanExitDeps {
  /** The session's plan; null before it is written. @throws DocketError when it cannot be read */
  planOf(sessionID: string): Promise<PlanDocument | null>
  /** Has the build agent carry the plan out that this call handed over, once. */
  startBuild(approved: ApprovedPlan): Promise<void>
}

export interface ApprovedPlan {
  sessionID: string
  /** The call that handed it over. */
  partID: string
  file: string
  /** Files may be edited without a question from now on. */
  editFreely: boolean
  /** The request that was answered, and by whom. */
  requestID: string
  by: Caller | undefined
}

/** The answers that approve a plan; words of one's own send it back. */
export const approvals = { approve: "Approve", editFreely: "Approve and edit freely" } as const

const question: Question = {
  header: "Plan",
  question: "Carry the plan out? Answer in your own words to send it back with what is to change.",
  options: [
    { label: approvals.approve, description: "The build agent begins, and asks where its rules ask." },
    { label: approvals.editFreely, description: "The build agent begins, and edits files of this session unasked." },
  ],
  multiple: false,
}

const description = `Hands your plan over to the user, who reads it as it is in its file, may edit it, and approves it or sends it back with comments. It waits for that.

- Call it when the plan file is complete, alone and as the last thing of your answer. It takes nothing.
- Approved, the build agent carries it out and your turn ends. Sent back, you read what is to change: change the plan file, then call it again.
- Questions that are still open are asked before, with question.`

const parameters = z.strictObject({})

/** `plan_exit`: a plan is approved, sent back with comments, or closed, which leaves the session in plan mode. */
export function createPlanExitTool(deps: PlanExitDeps): Tool<typeof parameters> {
  return defineTool({
    id: "plan_exit",
    description,
    parameters,
    permission: "plan_exit",
    parallel: false,
    async execute(_, context) {
      const plan = await deps.planOf(context.sessionID)
      if (plan === null)
        throw new Error("There is no plan yet. Write it into your plan file first, then call this again.")
      const { file, text, version } = plan
      const title = file.slice(file.lastIndexOf("/") + 1)
      context.progress({ title, metadata: { file, text } })
      const answered = await context.inquire({
        permission: "plan_exit",
        metadata: { kind: "plan", file, version, partID: context.partID, questions: [question] },
      })
      // The person may have edited it before they answered.
      const decided = (await deps.planOf(context.sessionID)) ?? plan
      return { title, ...(await conclude(deps, { context, plan: decided, before: version, answered })) }
    },
  })
}

interface Concluded {
  context: Pick<ToolContext, "sessionID" | "partID">
  plan: PlanDocument
  /** The version that was handed over. */
  before: string
  answered: PermissionRequest
}

type Conclusion = Omit<ToolResult<"plan_exit">, "title">

async function conclude(deps: PlanExitDeps, { context, plan, before, answered }: Concluded): Promise<Conclusion> {
  const { file, text, version } = plan
  const isEdited = version !== before
  const base = {
    file,
    text,
    ...(isEdited && { edited: true }),
    ...answerer(answered.by),
    truncated: false,
  }
  const said = (decision: PlanMetadata["decision"]): PlanMetadata => ({ ...base, decision })
  const [choice] = answered.answers?.[0]?.choices ?? []
  const words = answered.answers?.[0]?.own ?? null
  if (choice !== undefined) {
    const { sessionID, partID } = context
    const editFreely = choice === approvals.editFreely
    await deps.startBuild({ sessionID, partID, file, editFreely, requestID: answered.id, by: answered.by })
    const output = "The user approved the plan. The build agent carries it out; your part ends here."
    return { output, metadata: said(editFreely ? "approved_freely" : "approved"), ends: true }
  }
  if (words !== null) {
    const edited = isEdited ? " They also edited the plan file: read it before you change it." : ""
    const output = `The user sends the plan back with comments.${edited} Change the plan file, then call plan_exit again.\n\n${quoteFrames(words)}`
    return { output, metadata: { ...said("sent_back"), comments: words } }
  }
  // Also where nobody can be asked: handing it over again would change nothing.
  const why = answered.message === null ? "" : ` They say: ${quoteFrames(answered.message)}`
  const output = `The user closed the plan without approving it and stays in plan mode. Wait for their next words.${why}`
  return { output, metadata: said("closed"), ends: true }
}
