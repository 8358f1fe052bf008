import { existsSync, lstatSync } from "node:fs"
import { mkdir, realpath, rename, rm } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { projectGit } from "../../ground/git/project-git.ts"
import type { Environment } from "../../ground/git/run-git.ts"
import type { Project, Session, SessionRepository, SessionSubmodule } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { makeCheckout } from "../../setup/repository/make-checkout.ts"
import { makeSubmodules } from "../../setup/repository/make-submodules.ts"
import type { Mirrors, RepositoryProject } from "../../setup/repository/mirrors.ts"
import type { ProjectCheckouts } from "../../setup/repository/project-checkouts.ts"
import { pushRef, remoteRef, stateRef } from "./push-refs.ts"
import { type Outgoing, pushAll } from "./push-work.ts"
import { openSessionCheckout } from "./session-checkout.ts"
import { changedSubmodules, heldSubmodules, missingSubmodules } from "./session-submodules.ts"
import { sessionsWithFiles, sweepRepositories } from "./sweep-repositories.ts"

/** A session at work, as much as is needed here. */
export interface WorkingIn {
  session: Pick<Session, "id" | "rootID" | "title">
  project: Project
}

/**
 * The files of sessions of repositories. A root session has a repository of its own on the host that works on it. Its state
 * is kept at the server, so that another host can go on.
 */
export interface Repositories {
  /**
   * Gives the tree its files on this host: new ones from the branch, or the state that another host has stored. A tree
   * without a repository, or that has its files here, is left alone.
   * @throws repository_refused, repository_unavailable, credential_refused
   */
  enter(rootID: string, signal: AbortSignal): Promise<void>
  /** Keeps the files as they are after a step; the server gets them while the work goes on. Never rejects. */
  stepEnded(work: WorkingIn): Promise<void>
  /** Commits the work of a root session and pushes its branch, while others go on. Never rejects. */
  turnEnds(work: WorkingIn): Promise<void>
  /**
   * A repository without files for a fork, at the commits that the source has. `project` is that in which the source works.
   * @throws as `enter`, GitError
   */
  fork(source: Session, fork: { project: Project; forkID: string; signal: AbortSignal }): Promise<ForkedRepository>
  /** Removes the files of a removed root session, here and at the server. */
  removed(root: Session): Promise<void>
  /** Pushes what an earlier process could not push, and removes what nobody needs any more. */
  resume(): Promise<void>
  /** Resolves when nothing is being pushed, or waits to be pushed again. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** The repository of a fork, before its session is there. */
export interface ForkedRepository {
  /** The top directory. */
  directory: string
  repository: SessionRepository
  /** Removes it, when there is no fork to use it. */
  discard(): Promise<void>
}

export interface RepositoriesDeps {
  store: Pick<Store, "session">
  journal: Pick<Journal, "commit">
  mirrors: Mirrors
  checkouts: Pick<ProjectCheckouts, "refresh" | "remove">
  /** The project as its row has it. */
  rowOf(projectID: string): Promise<Project>
  /** Absolute directory for the files of sessions. */
  root: string
  /** Absolute directory for what another host has replaced. */
  kept: string
  env: Environment
  clock: () => number
  /** The id of this host; empty for the only process of a service. */
  host: string
  onError(error: unknown): void
}

export function createRepositories(deps: RepositoriesDeps): Repositories {
  const inOrder = createKeyedQueue()
  const outgoing = new Map<string, Outgoing>()
  const closing = new AbortController()
  const push = (sessionID: string, out: Outgoing) => {
    out.wake.abort()
    out.running ??= pushAll(deps, sessionID, { out, signal: closing.signal })
      .catch(deps.onError)
      .finally(() => {
        out.running = null
        if (out.branch === null && out.problems.state === null) outgoing.delete(sessionID)
      })
  }
  const outgoingOf = async ({ session, project }: WorkingIn): Promise<Outgoing | null> => {
    const { id, repository } = project
    if (repository === undefined || !hasOwnRepository(deps.root, project.worktree)) return null
    const mirrorObjects = join(await realpath(deps.mirrors.directoryOf(id)), "objects")
    const owner = basename(project.worktree)
    const known = outgoing.get(owner)
    if (known?.checkout.directory === project.worktree) return known
    const submodules = heldSubmodules(deps, id, await deps.store.session.get(owner))
    const made: Outgoing = {
      ...{ project: { id, repository }, rootID: session.rootID, branch: null, running: null },
      wake: new AbortController(),
      checkout: openSessionCheckout(
        { env: deps.env, mirrorObjects, ...(submodules && { submodules }) },
        project.worktree,
      ),
      ...(submodules && { submodules }),
      problems: { state: null, branch: null, submodules: null },
    }
    outgoing.set(owner, made)
    return made
  }
  const stepEnded = async (work: WorkingIn) => {
    const out = await outgoingOf(work)
    if (out === null) return
    const kept = await inOrder(work.project.worktree, () => out.checkout.keep(work.session.title))
    // A subagent that has no worktree of its own works in the repository of its root.
    if (kept !== null) push(basename(work.project.worktree), out)
  }
  return {
    async enter(rootID, signal) {
      const found = await toEnter(deps, rootID)
      if (found !== null) await inOrder(rootID, () => enter(deps, rootID, signal))
    },
    stepEnded: (work) => stepEnded(work).catch(deps.onError),
    async turnEnds(work) {
      try {
        await stepEnded(work)
        if (work.session.id !== work.session.rootID) return
        const out = await outgoingOf(work)
        if (out === null) return
        await inOrder(work.project.worktree, () => commitWork(deps, out, work.session.title))
        push(work.session.id, out)
      } catch (error) {
        deps.onError(error)
      }
    },
    async fork(source, { project, forkID, signal }) {
      const out = await outgoingOf({ session: source, project })
      if (out === null) throw new DocketError("worktree_failed", `The files of ${source.id} are not on this host.`)
      await inOrder(project.worktree, () => out.checkout.keep(source.title))
      return forkRepository(deps, source, { out, forkID, signal })
    },
    async removed(session) {
      const project = await deps.rowOf(session.projectID)
      if (project.repository === undefined || session.repository === undefined) return
      outgoing.delete(session.id)
      await rm(join(deps.root, session.id), { recursive: true, force: true })
      const args = ["push", "--quiet", project.repository.url, `:${stateRef(session.id)}`]
      await deps.mirrors.remote({ id: project.id, repository: project.repository }, args, { signal: closing.signal })
    },
    async resume() {
      await sweepRepositories({ ...deps, sessionOf: deps.store.session.get })
      for (const id of await sessionsWithFiles(deps.root)) {
        const session = await deps.store.session.get(id)
        if (session?.repository?.host !== deps.host) continue
        const project = await deps.rowOf(session.projectID)
        const out = await outgoingOf({ session, project: { ...project, worktree: join(deps.root, id) } })
        if (out === null || (await out.checkout.state()) === (await out.checkout.stored())) continue
        push(id, out)
      }
    },
    async settled() {
      while ([...outgoing.values()].some(({ running }) => running !== null))
        await Promise.all([...outgoing.values()].map(({ running }) => running))
    },
    async close() {
      closing.abort(new DocketError("repository_unavailable", "Docket is stopping."))
      await Promise.all([...outgoing.values()].map(({ running }) => running))
    },
  }
}

/** Whether a session has a repository of its own there; the worktree of a subagent belongs to that of its root. */
function hasOwnRepository(root: string, worktree: string): boolean {
  return isWithin(root, worktree) && lstatSync(join(worktree, ".git"), { throwIfNoEntry: false })?.isFile() === false
}

interface Entering {
  root: Session
  project: RepositoryProject
  /** Where its files are on this host, once it has them. */
  top: string
  isHere: boolean
}

/** The tree, unless it has its files here already. */
async function toEnter(deps: RepositoriesDeps, rootID: string): Promise<Entering | null> {
  const root = await deps.store.session.get(rootID)
  if (root === null) return null
  const { id, repository } = await deps.rowOf(root.projectID)
  if (repository === undefined) return null
  const top = join(deps.root, rootID)
  const isHere = existsSync(join(top, ".git"))
  if (isHere && root.repository?.host === deps.host) return null
  return { root, project: { id, repository }, top, isHere }
}

async function enter(deps: RepositoriesDeps, rootID: string, signal: AbortSignal): Promise<void> {
  const found = await toEnter(deps, rootID)
  if (found === null) return
  const { root, project, top, isHere } = found
  // The service had one process, which left them here.
  if (isHere && root.repository?.host === "") return takeOn(deps, found, { ...root.repository, host: deps.host })
  const commit = await deps.checkouts.refresh(project, signal)
  if (isHere) await putAside(deps, found)
  const { url, ref } = project.repository
  const objects = join(await realpath(deps.mirrors.directoryOf(project.id)), "objects")
  const origin = { env: deps.env, objects, url, ref, commit }
  const branch = root.repository?.branch ?? `docket/${rootID}`
  const state = root.repository === undefined ? null : await fetchState(deps, project, rootID, signal)
  const base = root.repository?.base ?? commit
  const head = state?.head ?? base
  const files = state?.commit ?? head
  let submodules: SessionSubmodule[] = []
  const fill = async (directory: string) => {
    submodules = await makeSubmodules(deps, project, { directory, files, named: [base, commit] }, signal)
  }
  await makeCheckout(top, origin, { branch, head, files, fill })
  if (state !== null) await setState(deps, top, state.commit)
  const repository: SessionRepository = {
    ...{ host: deps.host, base, branch, pushed: root.repository?.pushed ?? null },
    problem: missingSubmodules(submodules),
    ...(submodules.length > 0 && { submodules }),
  }
  await takeOn(deps, found, repository)
}

/**
 * What lies there is of an earlier time, and another host has gone on since. It is kept where the server may lack some of
 * it.
 */
async function putAside(deps: RepositoriesDeps, { project, top, root }: Entering): Promise<void> {
  const mirrorObjects = join(deps.mirrors.directoryOf(project.id), "objects")
  const checkout = openSessionCheckout({ env: deps.env, mirrorObjects }, top)
  await checkout.keep(root.title).catch(deps.onError)
  const [state, stored] = await Promise.all([checkout.state(), checkout.stored()]).catch(() => ["", null])
  if (state === stored) return rm(top, { recursive: true, force: true })
  const kept = join(deps.kept, `${root.id}-${deps.clock()}`)
  await mkdir(deps.kept, { recursive: true, mode: 0o700 })
  await rename(top, kept)
  deps.onError(new Error(`another host has gone on with ${root.id}; what only this host had of it is kept in ${kept}`))
}

async function takeOn(deps: RepositoriesDeps, found: Entering, repository: SessionRepository): Promise<void> {
  await deps.journal.commit(found.root.id, await movedRows(deps, found, repository))
}

/** The rows of a tree with the directories that they have on this host. */
async function movedRows(
  { store }: RepositoriesDeps,
  { root, project, top }: Entering,
  repository: SessionRepository,
): Promise<Mutation[]> {
  const { subdirectory } = project.repository
  const directory = join(top, subdirectory ?? "")
  const before = root.directory
  return (await store.session.tree(root.id)).flatMap((session): Mutation[] => {
    if (session.id === root.id) return [{ kind: "session.patch", sessionID: root.id, patch: { directory, repository } }]
    if (session.directory !== before && !isWithin(before, session.directory)) return []
    const moved = join(directory, relative(before, session.directory))
    return [{ kind: "session.patch", sessionID: session.id, patch: { directory: moved } }]
  })
}

/** The objects that the source has made go by the server: a fork may be worked on by another host. */
async function forkRepository(
  deps: RepositoriesDeps,
  { repository: known }: Session,
  { out: { project, checkout }, forkID, signal }: { out: Outgoing; forkID: string; signal: AbortSignal },
): Promise<ForkedRepository> {
  const { mirrors } = deps
  const state = await checkout.state()
  if (state === null)
    throw new DocketError("worktree_failed", "The session has no files yet. Fork the conversation alone.")
  const how = { objects: checkout.objects(), signal }
  const pushed = await pushRef(mirrors, project, { ref: stateRef(forkID), commit: state, expected: null }, how)
  const found = pushed.as === "pushed" ? await fetchState(deps, project, forkID, signal) : null
  if (found === null)
    throw new DocketError(
      "worktree_failed",
      "The server did not take the files of the fork. Fork the conversation alone.",
    )
  const directory = join(deps.root, forkID)
  const { url, ref } = project.repository
  const objects = join(await realpath(mirrors.directoryOf(project.id)), "objects")
  const commit = (await mirrors.commitOf(project.id, ref)) ?? found.head
  const branch = `docket/${forkID}`
  const base = known?.base ?? found.head
  let submodules: SessionSubmodule[] = []
  const fill = async (made: string) => {
    const named = { directory: made, files: found.commit, named: [base, commit] }
    submodules = await makeSubmodules(deps, project, named, signal)
  }
  const origin = { env: deps.env, objects, url, ref, commit }
  await makeCheckout(directory, origin, { branch, head: found.head, files: null, fill })
  await setState(deps, directory, found.commit)
  return {
    directory,
    repository: {
      ...{ host: deps.host, base, branch, pushed: null, problem: missingSubmodules(submodules) },
      ...(submodules.length > 0 && { submodules }),
    },
    discard: () => rm(directory, { recursive: true, force: true }),
  }
}

/** What the server has of the files is known from the start. */
async function setState({ env }: RepositoriesDeps, directory: string, commit: string): Promise<void> {
  for (const name of ["state", "stored"])
    await projectGit({ directory, env }, ["update-ref", `refs/docket/${name}`, commit])
}

/** The state that a host has stored at the server; null when none has. */
async function fetchState(
  { mirrors }: RepositoriesDeps,
  project: RepositoryProject,
  sessionID: string,
  signal: AbortSignal,
): Promise<{ commit: string; head: string } | null> {
  const ref = stateRef(sessionID)
  if ((await remoteRef(mirrors, project, ref, signal)) === null) return null
  const { url } = project.repository
  await mirrors.remote(project, ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", url, `+${ref}:${ref}`], {
    signal,
  })
  const [commit = "", head = ""] = (await mirrors.git(project.id, ["rev-parse", ref, `${ref}^`])).split("\n")
  return { commit, head }
}

async function commitWork(deps: RepositoriesDeps, out: Outgoing, title: string): Promise<void> {
  const { submodules, checkout } = out
  out.problems.submodules =
    submodules === undefined ? null : await changedSubmodules(deps, checkout.directory, submodules)
  const underWay = await out.checkout.underWay()
  if (underWay !== null) {
    out.problems.branch = `The session is in the middle of a ${underWay}. Its branch is pushed when a later turn has ended that.`
    return
  }
  out.problems.branch = null
  out.branch = await out.checkout.commitAll(title)
  await out.checkout.keep(title)
}
