import { pause } from "../../ground/concurrency/pause.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { SessionRepository } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { Mirrors, RepositoryProject } from "../../setup/repository/mirrors.ts"
import { type Pushed, problemOf, pushRef, remoteRef, stateRef } from "./push-refs.ts"
import type { SessionCheckout } from "./session-checkout.ts"
import { type HeldSubmodules, missingSubmodules } from "./session-submodules.ts"

/** Waits between attempts to push what could not be pushed (ms): the first, and the longest. */
const again = { firstMs: 5_000, mostMs: 300_000 }

export interface PushDeps {
  store: Pick<Store, "session">
  journal: Pick<Journal, "commit">
  mirrors: Mirrors
  /** The id of this host; empty for the only process of a service. */
  host: string
}

/** What is to be pushed for a session. */
export interface Outgoing {
  project: RepositoryProject
  checkout: SessionCheckout
  submodules?: HeldSubmodules
  rootID: string
  /** The branch is to be pushed too: its commit. */
  branch: string | null
  problems: { state: string | null; branch: string | null; submodules: string | null }
  running: Promise<void> | null
  /** Ends the wait before the next attempt. */
  wake: AbortController
}

/** Pushes until the server has everything, with longer and longer waits. */
export async function pushAll(
  deps: PushDeps,
  sessionID: string,
  { out, signal }: { out: Outgoing; signal: AbortSignal },
): Promise<void> {
  for (let waitMs = again.firstMs; !signal.aborted; waitMs = Math.min(waitMs * 2, again.mostMs)) {
    const isDone = await pushOnce(deps, sessionID, { out, signal })
    if (isDone || signal.aborted) return
    out.wake = new AbortController()
    await pause(waitMs, AbortSignal.any([signal, out.wake.signal]))
  }
}

/** @returns whether there is nothing to push any more */
async function pushOnce(
  deps: PushDeps,
  sessionID: string,
  { out, signal }: { out: Outgoing; signal: AbortSignal },
): Promise<boolean> {
  let hasFailed = false
  try {
    out.problems.state = await pushState(deps, sessionID, { out, signal })
    if (out.branch !== null) await pushBranch(deps, out, { commit: out.branch, signal })
  } catch (error) {
    if (signal.aborted) return false
    hasFailed = true
    out.problems.state = `Not pushed: ${problemOf(error)} The files are kept on this host, and it is tried again.`
  }
  await tell(deps, out)
  if (hasFailed) return false
  const [state, stored] = [await out.checkout.state(), await out.checkout.stored()]
  return out.branch === null && (state === stored || out.problems.state !== null)
}

/** @returns why the server keeps its state, or null */
async function pushState(
  { mirrors }: PushDeps,
  sessionID: string,
  { out, signal }: { out: Outgoing; signal: AbortSignal },
): Promise<string | null> {
  const { checkout, project } = out
  const commit = await checkout.state()
  const expected = await checkout.stored()
  if (commit === null || commit === expected) return null
  const ref = stateRef(sessionID)
  const how = { objects: checkout.objects(), signal }
  const pushed = await pushRef(mirrors, project, { ref, commit, expected }, how)
  if (pushed.as === "moved") {
    // The answer to an earlier push may have been lost.
    const there = await remoteRef(mirrors, project, ref, signal)
    if (there !== null && !(await checkout.has(there)))
      return "Not pushed: another host has gone on with this session. What it has counts."
    const second = await pushRef(mirrors, project, { ref, commit, expected: there }, how)
    if (second.as !== "pushed") return "Not pushed: the server's state of this session changes all the time."
  }
  if (pushed.as === "refused")
    return `Not pushed: the server refused ${ref} (${pushed.reason}). Allow refs/docket there; the files are only on this host.`
  await checkout.setStored(commit)
  return null
}

async function pushBranch(
  deps: PushDeps,
  out: Outgoing,
  { commit, signal }: { commit: string; signal: AbortSignal },
): Promise<void> {
  const known = await ownRow(deps, out.rootID)
  const isNew = known !== null && commit !== (known.pushed ?? known.base)
  if (isNew) {
    const pushed = await pushOwnBranch(deps, out, { commit, known, signal })
    out.problems.branch =
      pushed.as === "pushed" ? await rewritten(deps, out, known, signal) : refusal(known.branch, pushed)
    if (pushed.as === "pushed") await patchRow(deps, out.rootID, { pushed: commit })
  }
  // A later turn may have left another one meanwhile.
  if (out.branch === commit) out.branch = null
}

/** Pushes the branch of a session, also when the server has commits of others that are part of it by now. */
async function pushOwnBranch(
  { mirrors }: PushDeps,
  { project, checkout }: Outgoing,
  { commit, known, signal }: { commit: string; known: SessionRepository; signal: AbortSignal },
): Promise<Pushed> {
  const { branch, pushed: expected } = known
  const ref = `refs/heads/${branch}`
  const how = { objects: checkout.objects(), signal }
  const first = await pushRef(mirrors, project, { ref, commit, expected }, how)
  if (first.as !== "moved") return first
  const there = await remoteRef(mirrors, project, ref, signal)
  if (there === commit) return { as: "pushed" }
  await mirrors.fetch(project, signal)
  if (there !== null) await checkout.setRemote(branch, there)
  if (there !== null && !(await checkout.isWithin(there, commit))) return first
  return pushRef(mirrors, project, { ref, commit, expected: there }, how)
}

function refusal(branch: string, pushed: Pushed): string {
  if (pushed.as === "refused")
    return `The server refused the branch ${branch} (${pushed.reason}). Change what refuses it, then prompt the session again.`
  return `Somebody else has pushed to the branch ${branch}, and their commits are not overwritten. Let the session merge origin/${branch}: its next turn pushes again.`
}

/** What to know when the branch that the session began from was rewritten meanwhile; null when it was not. */
async function rewritten(
  { mirrors }: PushDeps,
  { project, checkout }: Outgoing,
  { base }: SessionRepository,
  signal: AbortSignal,
): Promise<string | null> {
  await mirrors.fetch(project, signal)
  const { ref } = project.repository
  const now = await mirrors.commitOf(project.id, ref)
  if (now !== null) await checkout.setRemote(ref, now)
  if (now === null) return `The branch ${ref} is gone at the server. The session's work is on its own branch.`
  if (await checkout.isWithin(base, now)) return null
  return `The branch ${ref} was rewritten at the server, and does not hold ${base.slice(0, 10)} any more, from which this session began. Let the session rebase onto origin/${ref}, or start a new one.`
}

/** Stores what people have to know, when it changed. */
async function tell(deps: PushDeps, { rootID, problems }: Outgoing): Promise<void> {
  const known = await ownRow(deps, rootID)
  const missing = missingSubmodules(known?.submodules ?? [])
  const all = [problems.state, problems.branch, problems.submodules, missing]
  const problem = all.filter((text) => text !== null).join(" ") || null
  if (known !== null && known.problem !== problem) await patchRow(deps, rootID, { problem })
}

/** What the row says, while this host has the files of the tree; else null. */
async function ownRow({ store, host }: PushDeps, rootID: string): Promise<SessionRepository | null> {
  const known = (await store.session.get(rootID))?.repository
  return known?.host === host ? known : null
}

async function patchRow(deps: PushDeps, rootID: string, change: Partial<SessionRepository>): Promise<void> {
  const known = await ownRow(deps, rootID)
  if (known === null) return
  const patch = { repository: { ...known, ...change } }
  await deps.journal.commit(rootID, [{ kind: "session.patch", sessionID: rootID, patch }])
}
