import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { firstDirectory } from "../../ground/git/repository-name.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { hashesOf } from "../../ground/message/part-files.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type { Caller, MessageWithParts, Project, Session, SessionVisibility } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { Attachments } from "../attachment/create-attachments.ts"
import { portableMessage, portablePart } from "./portable-rows.ts"

export interface ForkDeps {
  store: Pick<Store, "transcript">
  journal: Journal
  createID: CreateId
  clock: () => number
  attachments: Pick<Attachments, "sharing">
  projectByID(id: string): Promise<Project>
  leadAgent(project: Project, name: string): Promise<string>
  usualVisibility(): SessionVisibility
}

/** Where a fork works that has files of its own. */
interface Place extends Pick<Session, "directory" | "branch" | "repository"> {
  /** Removes it, when there is no fork to use it. */
  discard(): Promise<void>
}

export interface ForkRequest {
  messageID?: string | undefined
  /** The id that belongs to the request's key. */
  id?: string | undefined
  by: Caller
  /** Makes files for the fork; when left out, it works on those of the project. */
  place?: ((fork: { messageID: string | undefined; forkID: string }) => Promise<Place>) | undefined
}

/** Messages read at a time. */
const pageSize = 50
/** Sorts before the id of every message. */
const beforeAll = "msg_"

/**
 * Copies the conversation of a root session, up to a message or whole, into a new session. What was undone stays out, and
 * so do todos, tasks, costs and everything that was allowed. Copied messages have no snapshots: an undo in the copy does
 * not touch what the original did to files.
 * @throws invalid_input, message_not_found; AlreadyMadeError when the session of `given.id` exists
 */
export async function forkSession(deps: ForkDeps, source: Session, given: ForkRequest): Promise<Session> {
  if (source.parentID !== null)
    throw new DocketError(
      "invalid_input",
      `${source.id} works on a task. Fork the session that leads it: ${source.rootID}.`,
    )
  const messageID = given.messageID ?? source.revert?.messageID
  const messages = await messagesUpTo(deps, source, messageID)
  const id = given.id ?? deps.createID("session")
  const place = await given.place?.({ messageID, forkID: id })
  try {
    const { directory, branch, repository } = place ?? {}
    const plain = await newSession(deps, source, { id, by: given.by })
    const session: Session = {
      ...{ ...plain, ...(directory && { directory }) },
      ...(branch && { branch }),
      ...(repository && { repository }),
    }
    const guard = given.id === undefined ? undefined : { fresh: given.id }
    await deps.attachments.sharing(source.rootID, session, {
      hashes: [...new Set(messages.flatMap(({ parts }) => parts.flatMap(hashesOf)))],
      commit: () => deps.journal.commit(id, copied(deps, session, messages), guard).then(() => undefined),
    })
    return session
  } catch (error) {
    await place?.discard()
    throw error
  }
}

/** @throws message_not_found */
async function messagesUpTo(
  { store }: Pick<ForkDeps, "store">,
  { id: sessionID }: Session,
  end: string | undefined,
): Promise<MessageWithParts[]> {
  const messages: MessageWithParts[] = []
  for (let after: string | null = beforeAll; after !== null; ) {
    const page: Awaited<ReturnType<Store["transcript"]["page"]>> = await store.transcript.page({
      sessionID,
      after,
      limit: pageSize,
    })
    const at = page.items.findIndex(({ info }) => info.id === end)
    messages.push(...(at < 0 ? page.items : page.items.slice(0, at)))
    if (at >= 0) return messages
    after = page.after
  }
  if (end === undefined) return messages
  throw new DocketError("message_not_found", `The session ${sessionID} has no message ${end}.`)
}

async function newSession(deps: ForkDeps, source: Session, { id, by }: { id: string; by: Caller }): Promise<Session> {
  const project = await deps.projectByID(source.projectID)
  const now = deps.clock()
  const isPrivate = source.visibility === "author" || deps.usualVisibility() === "author"
  return {
    ...{ id, rootID: id, parentID: null, depth: 0, origin: null, abortedAt: null },
    ...{ projectID: project.id, directory: firstDirectory(project), title: forkTitle(source.title) },
    ...{ agent: await deps.leadAgent(project, source.agent), model: source.model, variant: source.variant ?? null },
    permission: source.permission.filter(({ action }) => action === "deny"),
    ...(source.tools && { tools: source.tools }),
    status: { type: "idle" },
    ...{ cost: 0, tokens: noTokens, by },
    ...(isPrivate && { visibility: "author" as const }),
    time: { created: now, updated: now, archived: null },
  }
}

/** Longest title (UTF-16 units). */
const maxTitle = 200

/** The title of a copy: each copy of a copy has the next number. */
function forkTitle(title: string): string {
  const [, original = title, number = "0"] = /^(.*) \(fork #(\d{1,6})\)$/s.exec(title) ?? []
  const ending = ` (fork #${Number(number) + 1})`
  return original.slice(0, maxTitle - ending.length) + ending
}

/** The session with its messages under new ids, in their order. Whatever was at work counts as interrupted. */
function copied({ createID }: Pick<ForkDeps, "createID">, session: Session, messages: MessageWithParts[]): Mutation[] {
  const known = new Map<string, string>()
  const place = { sessionID: session.id }
  return [
    { kind: "session", value: session },
    ...messages.flatMap(({ info, parts }): Mutation[] => {
      const id = createID("message")
      known.set(info.id, id)
      const message = portableMessage(info)
      const parentID = message.role === "assistant" && { parentID: known.get(message.parentID) ?? message.parentID }
      return [
        // Only ids differ.
        { kind: "message", value: { ...message, ...place, id, ...parentID } as typeof message },
        ...parts.map((part): Mutation => {
          return { kind: "part", value: { ...portablePart(part), ...place, id: createID("part"), messageID: id } }
        }),
      ]
    }),
  ]
}
