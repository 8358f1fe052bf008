import type { DocketClient, FeedItem, PermissionRequest, TreeState } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { AskPermission } from "../run/ask-permission.ts"
import type { AskPlan } from "../run/ask-plan.ts"
import type { AskQuestions } from "../run/ask-questions.ts"
import { clerkReplies } from "../run/clerk-replies.ts"
import { createPermissionClerk } from "../run/permission-clerk.ts"
import { permissionLine } from "../run/permission-text.ts"
import { TerminalClosedError } from "../run/with-terminal.ts"
import { followTree } from "../session-tree.ts"
import { boardLines } from "./board-lines.ts"
import { createLaneLines } from "./lane-lines.ts"
import type { Screen } from "./terminal-screen.ts"

export interface AttachDeps {
  client: DocketClient
  screen: Screen
  /** How many lines the board may have for children, and for todos. */
  rows: number
  /** Asks the person at the terminal; null where there is none: what waits is then only told of. */
  asking: { ask: AskPermission; askPlan: AskPlan; inquire: AskQuestions } | null
  /** The page of the session: where somebody can answer who has no terminal. */
  url: string | null
  /** Aborts when the person leaves. What waits for an answer goes on waiting. */
  leave: AbortController
}

/** How much of what is there already is told. */
const pastMessages = 6

/**
 * Tells of a session and all below it, and lets the person at the terminal answer, until they leave, the session is
 * removed, or, with `untilDone`, nothing works or waits there any more.
 * @returns the tree as it stood at the end
 */
export async function attach(
  deps: AttachDeps,
  { sessionID, untilDone }: { sessionID: string; untilDone: boolean },
): Promise<TreeState> {
  const { client, screen, asking, leave } = deps
  const ended = Promise.withResolvers<void>()
  leave.signal.addEventListener("abort", () => ended.resolve(), { once: true })
  let queue = Promise.resolve()
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(work).catch(ended.reject)
  }
  let isLost = false

  const onItem = async (item: FeedItem) => {
    screen.print(lines.of(item))
    if (item.type !== "permission.asked") clerk?.handle(item)
    else if (isShown(item.properties.request)) takeOver(item.properties.request)
    refresh()
  }
  const tree = await followTree(client, sessionID, {
    enqueue,
    onItem,
    async onMissed() {
      screen.print(["something was missed; this is how it stands now"])
      refresh()
    },
    onGone: ended.reject,
    onState(state) {
      if (state === "reconnecting" && !isLost) screen.print(["the connection is lost; trying again"])
      if (state === "live" && isLost) screen.print(["connected again"])
      isLost = state === "reconnecting" || (isLost && state !== "live")
    },
  })
  const lines = createLaneLines({ sessionID, hasBoard: asking !== null }, Object.values(tree.get().sessions))
  const clerk = asking === null ? null : clerkFor(deps, asking, Object.values(tree.get().sessions))
  /** Whether something is of the session or of one below it, and not elsewhere in its tree. */
  const isShown = ({ sessionID: of }: { sessionID: string }) => lines.label(of) !== null
  const tell = (request: PermissionRequest) => {
    const agent = tree.get().sessions[request.sessionID]?.agent ?? "an agent"
    const where = deps.url === null ? "" : `\n  answer at ${deps.url}`
    screen.print(`needs you: ${permissionLine(request, { agent })}${where}`.split("\n"))
  }
  const takeOver = (request: PermissionRequest) => (clerk === null ? tell(request) : clerk.add(request))
  const refresh = () => {
    const now = tree.get()
    screen.setBoard(boardLines(now, { sessionID, label: lines.label, rows: deps.rows }))
    if (now.removed) screen.print(["the session was removed"])
    if (now.removed || (untilDone && isAtRest(now, isShown))) ended.resolve()
  }

  // Events wait in the queue until this is told.
  enqueue(async () => {
    const { items } = await client.session.messages.query({ sessionID, limit: pastMessages })
    screen.print([
      `following ${visibleText(tree.get().sessions[sessionID]?.title ?? sessionID)}; Ctrl-C leaves`,
      ...lines.past(items),
    ])
    for (const request of Object.values(tree.get().permissions).filter(isShown)) takeOver(request)
    refresh()
  })
  try {
    await ended.promise
    return tree.get()
  } finally {
    tree.close()
  }
}

/** Answers by asking at the terminal. Who closes the terminal leaves, and what was asked stays open. */
function clerkFor(
  { client, screen, leave }: AttachDeps,
  { ask, askPlan, inquire }: NonNullable<AttachDeps["asking"]>,
  sessions: Parameters<typeof createPermissionClerk>[0]["sessions"],
) {
  const alone =
    <Given extends unknown[], Answer>(question: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      screen.hold()
      try {
        return await question(...given)
      } catch (error) {
        if (!(error instanceof TerminalClosedError)) throw error
        leave.abort()
        throw leave.signal.reason
      } finally {
        screen.resume()
      }
    }
  return createPermissionClerk({
    mode: "ask",
    ask: alone(ask),
    askPlan: alone(askPlan),
    inquire: alone(inquire),
    note: (text) => screen.print([text]),
    sessions,
    signal: leave.signal,
    ...clerkReplies(client),
  })
}

function isAtRest(
  { turns, tasks, permissions, sessions }: TreeState,
  isShown: (row: { sessionID: string }) => boolean,
): boolean {
  return (
    !Object.values(turns).some(isShown) &&
    !Object.values(permissions).some(isShown) &&
    !Object.values(tasks).some((task) => task.time.ended === null && isShown(task)) &&
    Object.values(sessions).every(({ id, status }) => status.type === "idle" || !isShown({ sessionID: id }))
  )
}
