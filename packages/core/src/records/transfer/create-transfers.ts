import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { idTime } from "../../ground/id/id-time.ts"
import type { Caller, Project, Session, SessionFile, SessionVisibility } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { breather } from "../share/breather.ts"
import type { ShareScanSources } from "../share/share-scan.ts"
import { badFile } from "./bad-file.ts"
import { checkTree, fileIDs } from "./check-tree.ts"
import { maxImportBytes } from "./import-limit.ts"
import { readSessionFile } from "./read-session-file.ts"
import { type ReadTreeDeps, readFileTree } from "./read-tree.ts"
import { sanitizedTree } from "./sanitized-tree.ts"
import type { TransferService } from "./transfer-service.ts"
import { fileTitle, treeMutations } from "./tree-mutations.ts"
import { withImportedPeople } from "./with-imported-people.ts"
import { withNewIDs } from "./with-new-ids.ts"
import { withinTree } from "./within-tree.ts"
import { writeJson } from "./write-json.ts"
import { writeMarkdown } from "./write-markdown.ts"

export interface TransfersDeps {
  store: Store
  journal: Journal
  clock: () => number
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
  /** The agent to lead a session on the project: this one if it may, else the default. */
  leadAgent(project: Project, name: string): Promise<string>
  secretsOf(rootID: string): Promise<ShareScanSources>
  /** Who sees what is brought. */
  usualVisibility(): SessionVisibility
  outputs: ReadTreeDeps["outputs"] & {
    pathOf(call: { sessionID: string; id: string }): string
    keep(call: { sessionID: string; id: string }, text: string): Promise<void>
  }
  onError(error: unknown): void
}

/** Writes trees to files and brings them back. */
export function createTransfers(deps: TransfersDeps, caller: Caller): TransferService {
  return {
    async export(sessionID, { format, sanitize }) {
      const { rootID } = await deps.sessionByID(sessionID)
      const tree = sanitize
        ? await sanitizedTree(deps.store, rootID, await deps.secretsOf(rootID))
        : await readFileTree(deps, rootID)
      return format === "json" ? writeJson(tree) : writeMarkdown(tree)
    },
    async import(bytes, { projectID, newIDs = false }) {
      if (bytes.length > maxImportBytes) throw badFile(`it is larger than ${maxImportBytes / 1024 / 1024} MiB.`)
      const project = await deps.projectByID(projectID)
      const { from, file: read, left } = await readSessionFile(bytes, breather())
      checkTree(read)
      const now = deps.clock()
      const file = withinTree(withImportedPeople(newIDs ? withNewIDs(read, now) : withKnownTimes(read, now)))
      const [root] = file.sessions.filter(({ session }) => session.parentID === null)
      if (root === undefined) throw badFile("it has no session without a parent.")
      const todos = file.sessions.reduce((sum, session) => sum + session.todos.length, 0)
      const mutations = treeMutations(file, {
        project,
        agent: await deps.leadAgent(project, root.session.agent),
        imported: { from, at: now, by: caller },
        visibility: deps.usualVisibility(),
        firstTodo: todos === 0 ? 0 : await deps.store.write.reserveTodoNumbers(todos),
        outputPathOf: deps.outputs.pathOf,
      })
      await deps.journal
        .commit(file.rootID, mutations, { fresh: file.rootID, onlyNew: true })
        .catch((error: unknown) => refuseKnown(error, file.rootID))
      await keepOutputs(deps, file)
      return { sessionID: file.rootID, title: fileTitle(root.session), from, counts: countsOf(file), left }
    },
  }
}

/** Ids hold when they were made and order what they name: what comes next has to come after them. */
function withKnownTimes(file: SessionFile, now: number): SessionFile {
  const ahead = fileIDs(file).find((id) => (idTime(id) ?? 0) > now)
  if (ahead === undefined) return file
  throw badFile(
    `its id ${ahead} is of a time that is still to come. Import it with new ids, or look at the clock here.`,
  )
}

function refuseKnown(error: unknown, rootID: string): never {
  if (!(error instanceof DocketError)) throw error
  if (error.code === "unknown_tree") throw known(`The session ${rootID} was here and was removed.`, error)
  if (error.code === "already_made") throw known("The session of this file, or a part of it, is here already.", error)
  throw error
}

function known(reason: string, cause: unknown): DocketError {
  return new DocketError("already_made", `${reason} Import it with new ids to have a copy of it.`, { cause })
}

/** After the tree is there: nothing of another one is written over. One that is lost is told of where it is opened. */
async function keepOutputs({ outputs, onError }: TransfersDeps, file: SessionFile): Promise<void> {
  if (file.outputs.length === 0) return
  const sessionOf = new Map(
    file.sessions.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.map(({ id, sessionID }) => [id, sessionID] as const)),
    ),
  )
  for (const { partID, text } of file.outputs) {
    const sessionID = sessionOf.get(partID)
    if (sessionID !== undefined) await outputs.keep({ sessionID, id: partID }, text).catch(onError)
  }
}

function countsOf({ sessions, tasks, reviews }: SessionFile) {
  const messages = sessions.flatMap((session) => session.messages)
  return {
    sessions: sessions.length,
    messages: messages.length,
    parts: messages.reduce((sum, { parts }) => sum + parts.length, 0),
    todos: sessions.reduce((sum, { todos }) => sum + todos.length, 0),
    tasks: tasks.length,
    comments: reviews.comments.length,
  }
}
