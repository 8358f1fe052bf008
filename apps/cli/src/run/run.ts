import { type ConnectionState, type DocketClient, docketCode, subscribeTree } from "@docket/client"
import { problemLines } from "@docket/core/config"
import type { PermissionPreset, PromptPart, Session, Turn } from "@docket/core/schema"
import { treeUsage, type Usage } from "@docket/core/usage"
import { deskLink } from "../desk-link.ts"
import { exitCode } from "../exit-code.ts"
import { UnreachableError } from "../unreachable-error.ts"
import { createAnswer } from "./answer.ts"
import type { AskPermission } from "./ask-permission.ts"
import type { AskPlan } from "./ask-plan.ts"
import type { AskQuestions } from "./ask-questions.ts"
import { clerkReplies } from "./clerk-replies.ts"
import { lastEnd } from "./last-end.ts"
import type { Output } from "./output.ts"
import { type ClerkDeps, createPermissionClerk, type PermissionClerk, type PermissionMode } from "./permission-clerk.ts"
import { promptParts } from "./prompt-parts.ts"
import { createRunFeed } from "./run-feed.ts"
import { runOutcome } from "./run-outcome.ts"
import { openSession, type WantedSession } from "./run-session.ts"
import { createTurnEnds } from "./turn-ends.ts"

export interface RunInput extends WantedSession {
  prompt: string
  /** Files that go with the prompt. */
  files: PromptPart[]
  /** A JSON Schema that the answer must fit. */
  outputSchema: Record<string, unknown> | undefined
  /** How much the session may do without asking; unchanged when left out. */
  preset: PermissionPreset | undefined
}

export interface RunDeps {
  client: DocketClient
  /** Asks about permissions. This and the next two ask on the terminal; null without one. */
  ask: AskPermission | null
  askPlan: AskPlan | null
  inquire: AskQuestions | null
  permission: PermissionMode
  createOutput(session: Session, url: string | null): Output
  /** The address of the service for browsers; null when it ends with the run. */
  desk: string | null
  /** Aborts on Ctrl-C: the whole tree is stopped; a prompt that still waits is only taken back. */
  interrupted: AbortSignal
  /** Aborts, with the reason, when the service has ended for good. */
  gone: AbortSignal
}

/** Time for a restarted service to answer again (ms). */
const giveUpAfterMs = 60_000

/** Does one turn and streams its events. @returns its exit code @throws when the service has ended */
export async function run(deps: RunDeps, input: RunInput): Promise<number> {
  const { client, createOutput, interrupted, gone } = deps
  const { agent, model, variant, outputSchema } = input
  const { session, trusted, isNew } = await openSession(client, input)
  if (input.preset !== undefined) {
    await client.session.setPreset.mutate({ sessionID: session.id, preset: input.preset })
  }
  const { seq, sessions, turns } = await client.session.tree.query({ sessionID: session.id })
  const url = deskLink(deps.desk, session)
  const output = createOutput(session, url)
  for (const line of trusted) output.note(line)
  if (turns.some((open) => open.sessionID === session.id))
    output.note("the session works on another prompt; this one waits until that has ended")
  await noteConfigProblems(client, session.projectID, output)
  const answer = createAnswer(session.id)
  const ended = new AbortController()
  const failed = Promise.withResolvers<never>()
  const clerk = clerkOf(deps, { sessions, note: output.note, signal: ended.signal })
  const outage = createOutageTimer(failed.reject)
  const ends = createTurnEnds()
  const feed = createRunFeed((item, waits) => {
    output.handle(item, waits)
    if (!waits) answer.handle(item)
    clerk.handle(item)
    ends.handle(item)
  })
  subscribeTree(client, {
    sessionID: session.id,
    since: seq,
    others: false,
    signal: ended.signal,
    onError: failed.reject,
    onState: outage.follow,
    onEvent: feed.handle,
  })
  const onGone = () => failed.reject(gone.reason)
  gone.addEventListener("abort", onGone, { once: true })
  // `failed` may reject before the race below waits for it: that must not count as an unhandled rejection.
  failed.promise.catch(() => {})
  try {
    const parts = [...(await promptParts(client, session.projectID, input.prompt)), ...input.files]
    const wanted = {
      ...(agent !== undefined && { agent }),
      ...(model && { model }),
      ...(variant !== undefined && { variant }),
      ...(outputSchema && { outputSchema }),
    }
    const prompting = client.session.promptAsync.mutate({ sessionID: session.id, parts, ...wanted })
    const queued = await prompting.catch(async (error: unknown) => {
      // Refused, and not lost on the way: then nothing is left of a session that was made for it.
      if (isNew && docketCode(error) !== null) await client.session.remove.mutate({ sessionID: session.id })
      throw error
    })
    feed.begin(queued.id)
    const stop = () => void stopTurn(client, queued).catch(failed.reject)
    if (interrupted.aborted) stop()
    else interrupted.addEventListener("abort", stop, { once: true, signal: ended.signal })
    const turn = await Promise.race([lastEnd(client, ends, queued), failed.promise])
    const refused = clerk.refused()
    if (refused > 0) output.note(`${refusals(refused)} refused without asking anybody`)
    const outcome = interrupted.aborted ? "stopped" : runOutcome(turn, refused)
    const ending = { outcome, exitCode: exitCode[outcome], refused }
    const usage = await usedBy(client, session)
    output.finish({ ...ending, sessionID: session.id, url, turn, text: answer.text(), output: turn.output, usage })
    return ending.exitCode
  } finally {
    gone.removeEventListener("abort", onGone)
    outage.end()
    ended.abort()
  }
}

/** Stops the session with all that it delegated. A prompt that still waits is only taken back: what runs is for another. */
async function stopTurn(client: DocketClient, { id: turnID, sessionID }: Turn): Promise<void> {
  const { withdrawn } = await client.session.withdraw.mutate({ turnID })
  if (!withdrawn) await client.session.abort.mutate({ sessionID })
}

/** Creates the clerk that answers the requests of the run, as its options say or by asking on the terminal. */
function clerkOf(
  { client, permission, ask, askPlan, inquire }: RunDeps,
  run: Pick<ClerkDeps, "sessions" | "note" | "signal">,
): PermissionClerk {
  return createPermissionClerk({
    mode: permission,
    ask,
    askPlan,
    inquire,
    ...run,
    ...clerkReplies(client),
  })
}

function refusals(count: number): string {
  return count === 1 ? "1 permission request was" : `${count} permission requests were`
}

/** The usage of the whole tree; null when the service does not answer. */
async function usedBy(client: DocketClient, session: Session): Promise<Usage | null> {
  const tree = await client.session.tree.query({ sessionID: session.id }).catch(() => null)
  return tree && treeUsage(tree.sessions).whole
}

/** Calls `giveUp` when the event stream was lost for too long. */
function createOutageTimer(giveUp: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    follow(state: ConnectionState) {
      if (state === "live") end()
      else
        timer ??= setTimeout(
          () =>
            giveUp(
              new UnreachableError(
                "the service does not answer any more; what the session did is kept for when it runs again",
              ),
            ),
          giveUpAfterMs,
        )
    },
    end,
  }
}

/** A configuration file with a mistake is ignored, so the run may differ from what its author expects. */
async function noteConfigProblems(client: DocketClient, projectID: string, output: Output): Promise<void> {
  for (const line of problemLines(await client.config.get.query({ projectID }))) output.note(`! ${line}`)
}
