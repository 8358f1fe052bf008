import { PermissionDeniedError } from "../../acts/permission/error.ts"
import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { isDocketError } from "../../ground/error/docket-error.ts"
import type { InlineCommand } from "../../ground/inline-command/parse-inline-commands.ts"
import type { CommandLine, Session, TodoStatus } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { findTodo, todoNumber } from "../../records/todo/dependencies.ts"
import { openTodoLinesOf } from "../../records/todo/open-todos-of.ts"
import type { TodoService } from "../../records/todo/todo-service.ts"
import {
  cutOff,
  done,
  failed,
  type InlineCommandContext,
  type InlineCommandRunner,
  plain,
} from "../loop/inline-command-runner.ts"

/** Longest subject and description, the same as for `todowrite`. */
const maxSubject = 2_000
const maxDescription = 20_000

const usage = failed("usage: /todo (add|list|start|done|cancel|describe|subject) [args]")

const notFound = failed("todo not found")

export interface TodoCommandDeps {
  todos: TodoService
  store: Pick<Store, "todo" | "session">
}

/**
 * `/todo` commands: add, list, start, done, cancel, describe, subject. An agent needs the permission for `todowrite` to
 * change a list. A subagent may always use start and done on todos that the agents above it showed it; it finds no
 * others.
 */
export function createTodoCommandRunner(deps: TodoCommandDeps): InlineCommandRunner {
  return async (inlineCommand, context) => {
    const [verb = "", argument = ""] = splitOnce(inlineCommand.args)
    return runVerb(deps, { inlineCommand, verb, argument, context })
  }
}

interface TodoCommand {
  inlineCommand: InlineCommand
  verb: string
  argument: string
  context: InlineCommandContext
}

const statusOf = { start: "in_progress", done: "completed", cancel: "cancelled" } as const

async function runVerb({ todos, store }: TodoCommandDeps, command: TodoCommand): Promise<CommandLine[]> {
  const { verb, inlineCommand } = command
  if (!verbs.has(verb)) return [usage]
  const refusal = verb === "list" ? null : await askToChange(store, command)
  if (refusal !== null) return [refusal]
  if (verb === "add") return add(todos, command)
  if (!inlineCommand.complete) return [cutOff]
  if (verb === "list") return (await openTodoLinesOf(store.todo, command.context.sessionID)) ?? [plain("(no todos)")]
  if (verb === "start" || verb === "done" || verb === "cancel") return setStatus(todos, command, statusOf[verb])
  return setText(todos, command, verb === "subject" ? "subject" : "describe")
}

const verbs = new Set(["add", "list", "start", "done", "cancel", "describe", "subject"])

/**
 * The answer when the agent has no permission to change the todo; null when it may continue.
 * @throws PermissionDeniedError, PermissionRejectedError
 */
async function askToChange(
  store: TodoCommandDeps["store"],
  { verb, argument, context }: TodoCommand,
): Promise<CommandLine | null> {
  if (context.ask === undefined) return null
  const request: PermissionAsk = {
    permission: "todowrite",
    patterns: ["*"],
    always: ["*"],
    metadata: { kind: "other" },
  }
  const child = verb === "start" || verb === "done" ? await childSession(store, context.sessionID) : null
  if (child === null) {
    await context.ask(request)
    return null
  }
  const number = todoNumber(argument)
  if (number === null || (await wasShown(store, child, number))) return null
  try {
    await context.ask(request)
    return null
  } catch (error) {
    // The same text as for an unknown number, so that a subagent learns nothing of other lists.
    if (error instanceof PermissionDeniedError) return notFound
    throw error
  }
}

async function childSession({ session }: TodoCommandDeps["store"], sessionID: string): Promise<Session | null> {
  const found = await session.get(sessionID)
  return found?.parentID ? found : null
}

/** Whether a subagent was shown the todo: it is tenant-wide, or in its own list or a list of a session above. */
async function wasShown(store: TodoCommandDeps["store"], child: Session, number: number): Promise<boolean> {
  const todo = await findTodo(store.todo, number)
  if (todo === null) return false
  if (todo.sessionID === null) return true
  for (let member: Session | null = child; member !== null; ) {
    if (member.id === todo.sessionID) return true
    member = member.parentID === null ? null : await store.session.get(member.parentID)
  }
  return false
}

async function add(todos: TodoService, { inlineCommand, argument, context }: TodoCommand): Promise<CommandLine[]> {
  if (argument === "") return [failed("/todo add requires a subject")]
  if (!inlineCommand.complete) return [failed("missing /endtodo terminator")]
  const description = withoutOuterBlankLines(inlineCommand.body ?? "")
  if (argument.length > maxSubject) return [failed(`the subject is longer than ${maxSubject} characters`)]
  if (description.length > maxDescription) {
    return [failed(`the description is longer than ${maxDescription} characters`)]
  }
  const { sessionID, by } = context
  const todo = await todos.create({ sessionID, content: argument, description }, by)
  const added = done(`added #${todo.number} — ${todo.content}`)
  return description === "" ? [added] : [added, plain(`  description: ${description.replaceAll("\n", "\n  ")}`)]
}

function setStatus(
  todos: TodoService,
  { verb, argument, context }: TodoCommand,
  status: TodoStatus,
): Promise<CommandLine[]> {
  return withTodo(verb, argument, async (number) => {
    const todo = await todos.update(number, { status }, context.by)
    return { kind: "status", status: todo.status, content: todo.content }
  })
}

async function setText(todos: TodoService, command: TodoCommand, verb: "describe" | "subject"): Promise<CommandLine[]> {
  const { argument, context } = command
  const [ref = "", text = ""] = /^([^\s:]+)\s*:?\s*(.*)$/s.exec(argument)?.slice(1) ?? []
  return withTodo(verb, ref, async (number) => {
    if (text === "") return failed(`usage: /todo ${verb} <id>: <text>`)
    const most = verb === "subject" ? maxSubject : maxDescription
    if (text.length > most) return failed(`the text is longer than ${most} characters`)
    const patch = verb === "subject" ? { content: text } : { description: text }
    const todo = await todos.update(number, patch, context.by)
    return done(`updated — ${todo.content}`)
  })
}

/** Runs work on the todo that `ref` names (`14` or `#14`). Failures become `failed` lines. */
async function withTodo(
  verb: string,
  ref: string,
  work: (number: number) => Promise<CommandLine>,
): Promise<CommandLine[]> {
  if (ref === "") return [failed(`usage: /todo ${verb} <id> — the id is missing`)]
  const number = todoNumber(ref)
  if (number === null) return [failed("bad todo id")]
  try {
    return [await work(number)]
  } catch (error) {
    if (!isDocketError(error)) throw error
    return [error.code === "todo_not_found" ? notFound : failed(error.message)]
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.search(/\s/)
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at).trim()]
}

function withoutOuterBlankLines(text: string): string {
  const lines = text.split("\n")
  const first = lines.findIndex((line) => line.trim() !== "")
  const last = lines.findLastIndex((line) => line.trim() !== "")
  return first < 0
    ? ""
    : lines
        .slice(first, last + 1)
        .join("\n")
        .trimEnd()
}
