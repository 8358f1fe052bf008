import { DocketError } from "../../ground/error/docket-error.ts"
import { grantReach, reaches } from "../../ground/rule/grant-reach.ts"
import { type Inquiry, isInquiry } from "../../ground/rule/is-inquiry.ts"
import { visibleText } from "../../ground/rule/visible-text.ts"
import type {
  Caller,
  GrantScope,
  PermissionMemory,
  PermissionReply,
  PermissionRequest,
  Question,
  QuestionAnswer,
} from "../../ground/schema/index.ts"
import type { PermissionStore } from "../../ground/store/index.ts"
import type { ListedGrants } from "./listed-grants.ts"

/** Options of a reply. */
interface ReplyOptions {
  /** The user's message with a rejection. */
  message?: string | undefined
  /** What "always" allows and where; by default what the request offers, in the whole tree. */
  remember?: Remember | undefined
}

export interface PermissionService {
  pending(rootID?: string): Promise<PermissionRequest[]>
  /** @throws permission_request_not_found, permission_request_answered, invalid_input */
  reply(id: string, reply: PermissionReply, options?: ReplyOptions): Promise<PermissionRequest>
  /** The permanent grants. */
  grants(): Promise<ListedGrants>
  /** Revokes a grant. @throws grant_not_found */
  revoke(grantID: string): Promise<void>
  /**
   * Restores a file that Docket removed after a session's command, by the id in the command's result, and allows
   * commands of the project to leave it with this content. This becomes one of `grants`.
   * @throws session_not_found, left_not_kept, left_changed
   */
  allowLeft(sessionID: string, id: string): Promise<void>
  /** Answers the questions of an inquiry. @throws as `reply` */
  answer(id: string, answers: readonly QuestionAnswer[]): Promise<PermissionRequest>
}

/** A user's answer to a request. An inquiry is answered, or dismissed by a rejection. */
export type PermissionAnswer =
  | ({ reply: PermissionReply; by: Caller } & ReplyOptions)
  | { reply: "answer"; answers: readonly QuestionAnswer[]; by: Caller }

/** The final state of a request. */
export type Settled = { status: Exclude<PermissionRequest["status"], "pending" | "expired"> } & Pick<
  PermissionRequest,
  "message" | "by" | "remembered" | "answers"
>

/** The final state after an answer. @throws invalid_input when the answer does not fit the request */
export function endOf(request: PermissionRequest, given: PermissionAnswer): Settled {
  const { metadata } = request
  const { by } = given
  if (given.reply === "answer") {
    if (!isInquiry(metadata)) throw refused("This asks for permission. Allow it once, always, or reject it")
    return { status: "answered", message: null, by, answers: checkAnswers(metadata, given.answers) }
  }
  const { reply, message, remember } = given
  const words = message?.trim() ? message.trim() : null
  if (isInquiry(metadata)) {
    if (reply !== "reject") throw refused("This is a question. Answer it, or dismiss it")
    return { status: "dismissed", message: words, by }
  }
  if (reply === "reject") return { status: "rejected", message: words, by }
  if (reply === "once") return { status: "once", message: null, by }
  return { status: "always", message: null, by, remembered: rememberedBy(request, remember) }
}

/** What "always" should remember. */
interface Remember {
  /** Replaces the patterns that the request offers. Each applies exactly as typed, for the request's permission. */
  patterns?: readonly string[] | undefined
  /** Default `tree`. */
  within?: GrantScope | undefined
}

/** The most patterns in one answer. */
const maxPatterns = 50
/** Characters. */
const maxPattern = 2_000

/**
 * What the answer "always" should allow.
 * @throws invalid_input when a pattern is empty, too long or has invisible characters, or may not apply that widely
 */
function rememberedBy(request: PermissionRequest, { patterns, within = "tree" }: Remember = {}): PermissionMemory {
  const remembered = patterns === undefined ? request.always : typedPatterns(patterns)
  const reach = grantReach(request.permission, [...request.patterns, ...remembered])
  if (!reaches(reach, within)) throw refused(`This cannot be allowed that far. ${reach.why?.replace(/\.$/, "")}`)
  return {
    patterns: remembered,
    sessionID: within === "task" ? request.sessionID : null,
    ...((within === "project" || within === "everywhere") && { beyond: within }),
  }
}

function typedPatterns(patterns: readonly string[]): string[] {
  const typed = [...new Set(patterns.map((pattern) => pattern.trim()))]
  const [first] = typed
  if (first === undefined) throw refused('Nothing is named that "always" could allow. Allow it once, or name a pattern')
  if (typed.length > maxPatterns) throw refused(`At most ${maxPatterns} patterns are remembered with one answer`)
  for (const pattern of typed) {
    if (pattern === "") throw refused("A pattern is empty. Remove it, or write * for everything")
    if (pattern.length > maxPattern) throw refused(`A pattern is longer than ${maxPattern} characters`)
    if (visibleText(pattern) !== pattern || /[\r\n]/.test(pattern))
      throw refused(`The pattern ${visibleText(pattern)} holds characters that cannot be seen`)
  }
  return typed
}

function refused(reason: string): DocketError {
  return new DocketError("invalid_input", `${reason}.`)
}

/** The longest answer in the user's own words (UTF-16 units). */
const maxOwn = 10_000

/**
 * The answers to an inquiry as they are stored, one per question, with trimmed texts.
 * @throws invalid_input when they do not fit the questions, or no question is answered
 */
function checkAnswers({ questions }: Inquiry, answers: readonly QuestionAnswer[]): QuestionAnswer[] {
  if (answers.length !== questions.length)
    throw refused(`There are ${questions.length} questions and ${answers.length} answers; send one for each`)
  const checked = questions.map((question, index) => checkAnswer(question, answers[index] ?? nothing))
  if (checked.every(isNothing)) throw refused("Nothing is answered yet. Answer a question, or dismiss them all")
  return checked
}

const nothing: QuestionAnswer = { choices: [], own: null }

const isNothing = ({ choices, own }: QuestionAnswer) => choices.length === 0 && own === null

function checkAnswer({ header, options, multiple }: Question, answer: QuestionAnswer): QuestionAnswer {
  const choices = [...new Set(answer.choices)]
  const own = answer.own?.trim() || null
  for (const choice of choices) {
    if (!options.some(({ label }) => label === choice))
      throw refused(`${JSON.stringify(choice.slice(0, 100))} is no option of "${header}"`)
  }
  if (own !== null && own.length > maxOwn)
    throw refused(`The answer to "${header}" is longer than ${maxOwn} characters`)
  if (!multiple && choices.length + (own === null ? 0 : 1) > 1) throw refused(`"${header}" takes one answer`)
  return { choices, own }
}

/** The error for an answer to a request that is no longer pending. `late` is the user who answered too late. */
export async function notWaiting(
  store: Pick<PermissionStore, "get">,
  id: string,
  late: Caller | undefined,
): Promise<DocketError> {
  const stored = await store.get(id)
  if (stored === null) return new DocketError("permission_request_not_found", `There is no permission request ${id}.`)
  return new DocketError("permission_request_answered", answeredWords(stored, late))
}

/** Tells a user who answered too late what became of the request. */
function answeredWords({ status, by }: PermissionRequest, late: Caller | undefined): string {
  const who = by === undefined ? "" : by.person === late?.person ? " by you elsewhere" : ` by ${by.name ?? by.person}`
  const before = `${who} before your answer came. Your answer changed nothing.`
  switch (status) {
    case "once":
      return `This was allowed${before}`
    case "always":
      return `This was allowed for good${before}`
    case "answered":
    case "dismissed":
    case "rejected":
      return `This was ${status}${before}`
    case "expired":
      return "Nobody waits for this answer any more: the work that asked has ended."
    // Another answer is being stored.
    case "pending":
      return "This was answered before your answer came. Your answer changed nothing."
    default:
      return status satisfies never
  }
}
