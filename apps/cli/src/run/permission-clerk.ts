import { grantReach } from "@docket/core/rule"
import type { FeedItem, PermissionRequest, Question, QuestionAnswer, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import type { AskPermission, PermissionAnswer } from "./ask-permission.ts"
import type { AskPlan } from "./ask-plan.ts"
import type { AskQuestions } from "./ask-questions.ts"
import { type Asker, permissionLine, permissionText } from "./permission-text.ts"
import { TerminalClosedError } from "./with-terminal.ts"

export interface PermissionClerk {
  handle(item: FeedItem): void
  /** Takes over a request that was pending before the event stream began. */
  add(request: PermissionRequest): void
  /** How many requests were refused without asking the user. */
  refused(): number
}

/** How to answer a request that the rules leave open. What the rules deny is denied in every mode. */
export type PermissionMode = "deny" | "ask" | "allow"

export interface ClerkDeps {
  mode: PermissionMode
  /** Null when there is no terminal: the request is then refused, with a note. */
  ask: AskPermission | null
  /** Asks about a plan; null as for `ask`. */
  askPlan: AskPlan | null
  /** Asks the questions of an agent; null as for `ask`. */
  inquire: AskQuestions | null
  reply(requestID: string, answer: PermissionAnswer): Promise<unknown>
  /** Answers questions, each with some of its options, with own words, or with nothing. */
  answer(requestID: string, answers: QuestionAnswer[]): Promise<unknown>
  /** The current text of a session's plan. */
  planOf(sessionID: string): Promise<string>
  note(text: string): void
  /** The sessions that the tree already has. */
  sessions: Session[]
  /** Aborts open questions when the run ends. */
  signal: AbortSignal
}

type PlanAsked = Extract<PermissionRequest["metadata"], { kind: "plan" }>

// What the agent is told in place of an answer.
const nobody = "Nobody can be asked: docket run has no terminal. Go on without this, or say what you would need."
const denied = "This run allows nothing that is asked for. Go on without this, or say what you would need."
const silent = "Nobody can be asked: decide what seems best, and say what you assumed."

/** How a question that is being asked here came to its end. */
const endWords: Record<PermissionRequest["status"], string> = {
  pending: "no longer asked",
  once: "allowed elsewhere",
  always: "always allowed elsewhere",
  rejected: "refused elsewhere",
  answered: "answered elsewhere",
  dismissed: "closed elsewhere",
  expired: "no longer asked",
}

/** Answers the requests of a tree, one at a time. Drops a request that is answered elsewhere, and says so. */
export function createPermissionClerk(deps: ClerkDeps): PermissionClerk {
  const { mode, reply, note, signal } = deps
  const known = new Map(deps.sessions.map((session) => [session.id, session]))
  /** For each request of the run, what aborts when it was answered. */
  const open = new Map<string, AbortController>()
  let queue = Promise.resolve()
  let refused = 0

  async function refuse(request: PermissionRequest, why: string, message: string): Promise<void> {
    refused += 1
    note(`✗ refused, ${why}: ${permissionLine(request, askerOf(known, request))}`)
    await reply(request.id, { reply: "reject", message })
  }

  async function answerPermission(request: PermissionRequest, until: AbortSignal): Promise<void> {
    if (mode === "allow") return void (await reply(request.id, { reply: "once" }))
    if (mode === "deny") return refuse(request, "as this run allows nothing that asks", denied)
    if (deps.ask === null) return refuse(request, "as nobody can be asked", nobody)
    const text = permissionText(request, askerOf(known, request))
    const reach = grantReach(request.permission, [...request.patterns, ...request.always])
    const given = await deps.ask({ text, reach }, until).catch(unlessClosed)
    if (given === undefined) return refuse(request, "as the terminal was closed", nobody)
    await reply(request.id, given)
  }

  async function answerQuestions(request: PermissionRequest, questions: Question[], until: AbortSignal): Promise<void> {
    const asker = askerOf(known, request)
    const intro = `${asker.agent} asks you${asker.path.length > 0 ? `, for the task ${asker.path.join(" › ")}` : ""}`
    const inquire = mode === "deny" ? null : deps.inquire
    const answers = await inquire?.(intro, questions, until).catch(unlessClosed)
    if (answers) return void (await deps.answer(request.id, answers))
    // `undefined`: nobody could be asked. `null`: the user dismissed the questions.
    if (answers === undefined) note(`✗ not answered, as nobody can be asked: ${permissionLine(request, asker)}`)
    await reply(request.id, { reply: "reject", ...(answers === undefined && { message: silent }) })
  }

  async function answerPlan(
    request: PermissionRequest,
    { questions, file }: PlanAsked,
    until: AbortSignal,
  ): Promise<void> {
    if (mode === "deny" || deps.askPlan === null) return refuse(request, "as nobody can be asked", nobody)
    const options = questions.flatMap((question) => question.options.map(({ label }) => label))
    const plan = { file, text: await deps.planOf(request.sessionID) }
    const said = await deps.askPlan(plan, options, until).catch(unlessClosed)
    if (said === undefined) return refuse(request, "as the terminal was closed", nobody)
    if (said === null) await reply(request.id, { reply: "reject" })
    else if ("choice" in said) await deps.answer(request.id, [{ choices: [said.choice], own: null }])
    else await deps.answer(request.id, [{ choices: [], own: said.words }])
  }

  async function answer(request: PermissionRequest, answered: AbortSignal): Promise<void> {
    if (answered.aborted) return
    const { metadata } = request
    const until = AbortSignal.any([answered, signal])
    if (metadata.kind === "question") await answerQuestions(request, metadata.questions, until)
    else if (metadata.kind === "plan") await answerPlan(request, metadata, until)
    else await answerPermission(request, until)
  }

  function add(request: PermissionRequest): void {
    if (open.has(request.id)) return
    const answered = new AbortController()
    open.set(request.id, answered)
    queue = queue
      .then(() => answer(request, answered.signal))
      .catch((error: unknown) => {
        if (signal.aborted) return
        const line = permissionLine(request, askerOf(known, request))
        note(
          answered.signal.aborted
            ? `${answered.signal.reason.message}: ${line}`
            : `the answer was not taken: ${String(error)}`,
        )
      })
  }

  return {
    add,
    handle(item) {
      if (item.type === "session.created" || item.type === "session.updated") {
        known.set(item.properties.info.id, item.properties.info)
      }
      if (item.type === "permission.asked") add(item.properties.request)
      if (item.type !== "permission.replied") return
      const { id, status } = item.properties.request
      open.get(id)?.abort(new Error(endWords[status]))
    },
    refused: () => refused,
  }
}

/** The terminal was closed before the user answered; other errors are thrown again. */
function unlessClosed(error: unknown): undefined {
  if (!(error instanceof TerminalClosedError)) throw error
}

function askerOf(sessions: Map<string, Session>, { sessionID }: PermissionRequest): Asker {
  const path: string[] = []
  const asking = sessions.get(sessionID)
  let session = asking
  while (session?.parentID) {
    path.unshift(shortTitle(session))
    session = sessions.get(session.parentID)
  }
  return { agent: asking?.agent ?? "The agent", path }
}
