import {
  type PermissionOption,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCallContent,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable"
import { type DocketClient, docketCode } from "@docket/client"
import { actText, describeAsk, visibleText } from "@docket/core/rule"
import type { PermissionRequest, Question, QuestionAnswer } from "@docket/core/schema"
import { fileDiffs } from "./file-diffs.ts"
import { inFence } from "./in-fence.ts"
import { permissionAnswer, permissionOptions, questionAnswer, questionOptions } from "./permission-options.ts"

/** A request with its place in the editor. */
export interface EditorQuestion {
  request: PermissionRequest
  /** The session of the editor that shows it. */
  shownIn: string
  /** The id under which the editor knows the call that asks; null when it does not. */
  toolCallId: string | null
  /** Who asks, when it is not the session's own agent. */
  asker: string | null
  /** The directory that relative paths start from. */
  root: string
}

export interface AskEditorDeps {
  docket: Pick<DocketClient, "permission" | "question" | "plan">
  /** Asks the editor. Rejects when `signal` aborts. */
  ask(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
  /**
   * Whether the editor gives the answer in any case: it has sent the prompt that this is about, and did not stop it.
   * What the editor leaves open waits for the web app otherwise.
   */
  mustAnswer(request: PermissionRequest): boolean
  log(text: string): void
}

/** Asks the editor about the requests of a tree, all at once: an editor shows them one by one where it wants to. */
export interface EditorAsks {
  add(question: EditorQuestion): void
  /** The request was answered, here or elsewhere. */
  answered(request: PermissionRequest): void
  close(): void
}

export function createEditorAsks(deps: AskEditorDeps): EditorAsks {
  const { docket, log } = deps
  const open = new Map<string, AbortController>()

  /** The option that was chosen; null when the editor leaves it open. */
  async function choose(
    { request, shownIn, toolCallId }: EditorQuestion,
    asked: { title: string; content: ToolCallContent[]; options: PermissionOption[] },
    signal: AbortSignal,
  ): Promise<string | null> {
    const { title, content, options } = asked
    const toolCall: ToolCallUpdate = {
      toolCallId: toolCallId ?? request.id,
      title,
      status: "pending",
      ...(content.length > 0 && { content }),
    }
    try {
      const { outcome } = await deps.ask({ sessionId: shownIn, toolCall, options }, signal)
      return outcome.outcome === "selected" ? outcome.optionId : null
    } catch (error) {
      // The editor answered with an error: it cannot ask. Any other failure is the end of the connection.
      if (signal.aborted || !(error instanceof RequestError)) throw error
      log(`the editor does not ask: ${error.message}`)
      return null
    }
  }

  async function answerPermission(question: EditorQuestion, signal: AbortSignal): Promise<void> {
    const { request } = question
    const chosen = await choose(question, { ...describe(question), options: permissionOptions(request) }, signal)
    if (chosen === null && !deps.mustAnswer(request)) return
    const { reply, within } = permissionAnswer(chosen ?? "reject")
    const remember = within === undefined ? {} : { remember: { within } }
    await docket.permission.reply.mutate({ requestID: request.id, reply, ...remember })
  }

  /** Asks one question after the other. A choice of the editor is one of the options; own words need the web app. */
  async function answerQuestions(question: EditorQuestion, questions: Question[], signal: AbortSignal): Promise<void> {
    const { request } = question
    const given: (QuestionAnswer | null)[] = []
    const plan = request.metadata.kind === "plan" ? await docket.plan.get.query({ sessionID: request.sessionID }) : null
    for (const each of questions) {
      const title = visibleText(each.question)
      const content = textContent(plan?.text ?? optionLines(each))
      const chosen = await choose(question, { title, content, options: questionOptions(each) }, signal)
      if (chosen === null && !deps.mustAnswer(request)) return
      given.push(chosen === null ? null : questionAnswer(each, chosen))
    }
    if (given.every((answer) => answer === null)) await docket.question.dismiss.mutate({ requestID: request.id })
    else {
      const answers = given.map((answer) => answer ?? { choices: [], own: null })
      await docket.question.answer.mutate({ requestID: request.id, answers })
    }
  }

  async function answer(question: EditorQuestion, signal: AbortSignal): Promise<void> {
    const { metadata } = question.request
    const isInquiry = metadata.kind === "question" || metadata.kind === "plan"
    await (isInquiry ? answerQuestions(question, metadata.questions, signal) : answerPermission(question, signal))
  }

  return {
    add(question) {
      const { request } = question
      if (open.has(request.id)) return
      const closed = new AbortController()
      open.set(request.id, closed)
      answer(question, closed.signal)
        .catch((error: unknown) => {
          // Somebody else was faster: the service has their answer.
          if (!closed.signal.aborted && docketCode(error) === null) log(`a question was not answered: ${String(error)}`)
        })
        .finally(() => open.delete(request.id))
    },
    answered(request) {
      open.get(request.id)?.abort()
    },
    close() {
      for (const closed of open.values()) closed.abort()
    },
  }
}

function describe({ request, asker, root }: EditorQuestion): { title: string; content: ToolCallContent[] } {
  const shown = describeAsk(request)
  const { alsoNamed, command, input, diff, reasons } = shown
  const who = asker === null ? "" : `${visibleText(asker)} wants to `
  const act = `${who}${actText(shown)}`
  const isShort = command !== null && command.length <= longestTitle && !command.includes("\n")
  const changes = changesOf(request)
  const quoted = [isShort ? "" : (command ?? ""), input ?? "", changes.length === 0 ? (diff ?? "") : ""]
  const also = alsoNamed.length > 0 ? `Also:\n\n${inFence(alsoNamed.join("\n"))}` : ""
  const said = [shown.title, also, ...quoted.filter(Boolean).map(inFence), ...reasons].filter(Boolean)
  const diffs = changes.flatMap((change) => fileDiffs(change, root))
  return {
    title: capitalized(isShort ? `${act}: ${command}` : act),
    content: [...diffs, ...textContent(said.join("\n\n"))],
  }
}

/** A longer command stands below the title, whole (UTF-16 units). */
const longestTitle = 120

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function changesOf({ metadata }: PermissionRequest) {
  if (metadata.kind === "change") return [metadata]
  return metadata.kind === "changes" ? metadata.changes : []
}

function optionLines({ options }: Question): string {
  return options.map(({ label, description }) => visibleText(`- ${label}: ${description}`)).join("\n")
}

function textContent(text: string): ToolCallContent[] {
  return text === "" ? [] : [{ type: "content", content: { type: "text", text } }]
}
