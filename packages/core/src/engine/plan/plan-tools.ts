import { z } from "zod"
import { answerer } from "../../acts/tool/question.ts"
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../acts/tool/tool.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { visibleText } from "../../ground/rule/index.ts"
import type {
  Caller,
  PermissionPreset,
  PermissionRequest,
  PromptInput,
  Question,
  Session,
  Turn,
} from "../../ground/schema/index.ts"
import type { PlanMetadata } from "../../ground/schema/tool-metadata.ts"
import type { Store } from "../../ground/store/index.ts"
import { buildAgent, planAgent } from "../../setup/agent/builtin-agents.ts"
import { type PlanDocument, type PlanOfSessionDeps, planOfSession } from "./plan-document.ts"

/** The tools with which a session enters and leaves plan mode. */
export function createPlanTools(deps: StartModeDeps & PlanOfSessionDeps): Tool[] {
  const startMode = createStartMode(deps)
  return [
    createPlanExitTool({ ...startMode, planOf: async (sessionID) => (await planOfSession(deps, sessionID)).plan }),
    createPlanEnterTool(startMode),
  ]
}

interface StartModeDeps {
  store: Pick<Store, "turn" | "permission">
  createID: CreateId
  clock: () => number
  sessionByID(id: string): Promise<Session>
  setPreset(sessionID: string, preset: PermissionPreset | null, by: Caller): Promise<unknown>
  /** Queues a prompt written by Docket, in the name of the user who caused it. */
  enqueue(session: Session, input: PromptInput, by: Caller | undefined): Promise<Turn>
}

/** Switches a session between planning and building, with a prompt by Docket that is queued behind the current turn. */
function createStartMode(deps: StartModeDeps): Pick<PlanExitDeps, "startBuild"> & PlanEnterDeps {
  const switchTo = async (
    agent: string,
    text: string,
    { sessionID, partID, by }: { sessionID: string; partID: string; by: Caller | undefined },
  ) => {
    const session = await deps.sessionByID(sessionID)
    const waiting = await deps.store.turn.open({ rootID: session.rootID })
    // A call that continues after a crash may have queued it already.
    if (waiting.some((turn) => turn.sessionID === session.id && startedBy(turn, partID))) return
    const notice = { kind: "mode", agent, partID } as const
    await deps.enqueue(session, { agent, parts: [{ type: "text", text, synthetic: true, notice }] }, by)
  }
  return {
    async startBuild({ file, editFreely, requestID, ...call }) {
      await liftPreset(deps, editFreely, call)
      if (editFreely) await allowEdits(deps, requestID, call)
      const text = `The plan in ${file} is approved, and you may edit files now. Read it as it stands there, and carry it out.`
      await switchTo(buildAgent, text, call)
    },
    startPlan: (call) =>
      switchTo(planAgent, "Plan mode was agreed to. Plan what was asked for, from what is known by now.", call),
  }
}

function startedBy({ input }: Turn, partID: string): boolean {
  return input.parts.some(
    (part) => part.type === "text" && part.notice?.kind === "mode" && part.notice.partID === partID,
  )
}

/** Ends a preset that denies edits, because the user approved the plan, and with `editFreely` also one that asks. */
async function liftPreset(
  deps: StartModeDeps,
  editFreely: boolean,
  { sessionID, by }: { sessionID: string; by: Caller | undefined },
): Promise<void> {
  const { preset } = await deps.sessionByID(sessionID)
  if (by === undefined) return
  if (editFreely && (preset?.name === "plan" || preset?.name === "ask")) await deps.setPreset(sessionID, "edit", by)
  else if (preset?.name === "plan") await deps.setPreset(sessionID, null, by)
}

/** Stores the same grant as "always" for edits in this tree. */
async function allowEdits(
  { store, createID, clock, sessionByID }: StartModeDeps,
  requestID: string,
  { sessionID, by }: { sessionID: string; by: Caller | undefined },
): Promise<void> {
  const { rootID } = await sessionByID(sessionID)
  const known = await store.permission.grants(rootID)
  if (known.some((grant) => grant.permission === "edit" && grant.pattern === "*" && grant.sessionID === undefined))
    return
  const grant = { permission: "edit", pattern: "*", requestID, agent: planAgent, createdAt: clock(), ...(by && { by }) }
  await store.permission.addGrants([{ id: createID("grant"), rootID, ...grant }])
}

interface PlanEnterDeps {
  /** Makes the plan agent continue in the session, once per call. */
  startPlan(agreed: { sessionID: string; partID: string; by: Caller | undefined }): Promise<void>
}

const agree = "Plan first"
const decline = "Go on without a plan"

const enterDescription = `Asks the user to switch to plan mode, in which the work is researched and written down as a plan that they approve before anything changes.

- Use it before large or risky work whose way is open: several parts of the code, a choice between designs, data that is migrated. Not for what is small or has one obvious way, and not when the user said how to do it.
- If they agree, your turn ends and the plan agent goes on. If not, go on yourself.`

const enterParameters = z.strictObject({
  reason: z.string().trim().min(1).max(500).describe("Why a plan is worth it here, in a sentence for the user"),
})

/** `plan_enter`: an agent proposes plan mode, and the user decides. */
function createPlanEnterTool(deps: PlanEnterDeps): Tool<typeof enterParameters> {
  return defineTool({
    id: "plan_enter",
    description: enterDescription,
    parameters: enterParameters,
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

interface PlanExitDeps {
  /** The session's plan; null before it is written. @throws DocketError when it cannot be read */
  planOf(sessionID: string): Promise<PlanDocument | null>
  /** Makes the build agent carry out the plan that this call submitted, once. */
  startBuild(approved: ApprovedPlan): Promise<void>
}

interface ApprovedPlan {
  sessionID: string
  /** The call that submitted the plan. */
  partID: string
  file: string
  /** From now on files may be edited without asking. */
  editFreely: boolean
  /** The answered request, and who answered it. */
  requestID: string
  by: Caller | undefined
}

/** The answers that approve a plan; any other text sends it back. */
const approvals = { approve: "Approve", editFreely: "Approve and edit freely" } as const

const planQuestion: Question = {
  header: "Plan",
  question: "Carry the plan out? Answer in your own words to send it back with what is to change.",
  options: [
    { label: approvals.approve, description: "The build agent begins, and asks where its rules ask." },
    { label: approvals.editFreely, description: "The build agent begins, and edits files of this session unasked." },
  ],
  multiple: false,
}

const exitDescription = `Hands your plan over to the user, who reads it as it is in its file, may edit it, and approves it or sends it back with comments. It waits for that.

- Call it when the plan file is complete, alone and as the last thing of your answer. It takes nothing.
- Approved, the build agent carries it out and your turn ends. Sent back, you read what is to change: change the plan file, then call it again.
- Questions that are still open are asked before, with question.`

/**
 * `plan_exit`: the user approves a plan, sends it back with comments, or closes it, which leaves the session in plan
 * mode.
 */
function createPlanExitTool(deps: PlanExitDeps): Tool {
  return defineTool({
    id: "plan_exit",
    description: exitDescription,
    parameters: z.strictObject({}),
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
        metadata: { kind: "plan", file, version, partID: context.partID, questions: [planQuestion] },
      })
      // The user may have edited the plan before answering.
      const decided = (await deps.planOf(context.sessionID)) ?? plan
      return { title, ...(await conclude(deps, { context, plan: decided, submitted: version, answered })) }
    },
  })
}

interface AnsweredPlan {
  context: Pick<ToolContext, "sessionID" | "partID">
  plan: PlanDocument
  /** The version that was submitted. */
  submitted: string
  answered: PermissionRequest
}

type PlanExitResult = Omit<ToolResult<"plan_exit">, "title">

async function conclude(
  deps: PlanExitDeps,
  { context, plan, submitted, answered }: AnsweredPlan,
): Promise<PlanExitResult> {
  const { file, text, version } = plan
  const isEdited = version !== submitted
  const base = {
    file,
    text,
    ...(isEdited && { edited: true }),
    ...answerer(answered.by),
    truncated: false,
  }
  const metadataOf = (decision: PlanMetadata["decision"]): PlanMetadata => ({ ...base, decision })
  const [choice] = answered.answers?.[0]?.choices ?? []
  const words = answered.answers?.[0]?.own ?? null
  if (choice !== undefined) {
    const { sessionID, partID } = context
    const editFreely = choice === approvals.editFreely
    await deps.startBuild({ sessionID, partID, file, editFreely, requestID: answered.id, by: answered.by })
    const output = "The user approved the plan. The build agent carries it out; your part ends here."
    return { output, metadata: metadataOf(editFreely ? "approved_freely" : "approved"), ends: true }
  }
  if (words !== null) {
    const edited = isEdited ? " They also edited the plan file: read it before you change it." : ""
    const output = `The user sends the plan back with comments.${edited} Change the plan file, then call plan_exit again.\n\n${quoteFrames(words)}`
    return { output, metadata: { ...metadataOf("sent_back"), comments: words } }
  }
  // This applies even when nobody can be asked, because submitting the plan again would change nothing.
  const why = answered.message === null ? "" : ` They say: ${quoteFrames(answered.message)}`
  const output = `The user closed the plan without approving it and stays in plan mode. Wait for their next words.${why}`
  return { output, metadata: metadataOf("closed"), ends: true }
}
