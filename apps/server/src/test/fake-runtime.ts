import { DocketError, type ProjectTrust, type Runtime, type UseCases } from "@docket/core"
import type { Caller, FeedItem, Project, Session, ShareInfo } from "@docket/core/schema"

export const sessionID = `ses_${"0".repeat(12)}${"A".repeat(14)}`
export const projectID = `prj_${"0".repeat(12)}${"A".repeat(14)}`
export const shareSecret = "s".repeat(22)

const project: Project = {
  id: projectID,
  name: "demo",
  directory: "/tmp/demo",
  worktree: "/tmp/demo",
  git: false,
  time: { created: 1, opened: 1 },
}

const session: Session = {
  id: sessionID,
  projectID,
  parentID: null,
  rootID: sessionID,
  depth: 0,
  directory: "/tmp/demo",
  title: "Demo",
  agent: "build",
  model: null,
  permission: [{ permission: "bash", pattern: "*", action: "ask" }],
  status: { type: "idle" },
  cost: 0,
  tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  origin: null,
  abortedAt: null,
  time: { created: 1, updated: 1, archived: null },
}

const unused = () => Promise.reject(new Error("secret internals of an unexpected failure"))

/** The session in a share's copy. */
const copied: Session = { ...session, directory: "demo", permission: [] }

/** A service whose use cases throw, except for the given ones. */
function withUnused<Service extends object>(given: Partial<Service>): Service {
  // The cast is safe: the proxy returns a function for every name.
  return new Proxy(given, { get: (target, name) => Reflect.get(target, name) ?? unused }) as Service
}

export interface FakeRuntime extends Runtime, UseCases {
  /** The callers, in order. */
  callers: Caller[]
  /** Names of the called use cases. */
  calls: string[]
  emit(item: FeedItem): void
}

/** One project, one session, one share: only what the HTTP layer needs. */
export function createFakeRuntime(): FakeRuntime {
  const calls: string[] = []
  const callers: Caller[] = []
  const readers = new Set<(item: FeedItem) => void>()
  const share: ShareInfo = {
    id: `shr_${"0".repeat(12)}${"A".repeat(14)}`,
    rootID: sessionID,
    title: null,
    mode: "live",
    left: [],
    decisions: { digests: {}, rules: {} },
    shows: { outputs: true, reasoning: true, files: true, pictures: false },
    expires: null,
    audience: "link",
    indexed: false,
    edited: null,
    seen: null,
    hasPassword: false,
    by: { person: "ada", workspace: "acme" },
    time: { created: 1, revoked: null },
  }
  const revoked = Promise.withResolvers<boolean>()
  const trust: ProjectTrust = { state: "nothing", directory: "/tmp/demo", hash: null, entries: [] }
  const called = <T>(name: string, value: T): Promise<T> => {
    calls.push(name)
    return Promise.resolve(value)
  }
  const notFound = () => {
    throw new DocketError("session_not_found", "There is no such session.")
  }
  const runtime: FakeRuntime = {
    calls,
    callers,
    offboarding: { offboard: notFound, hidden: async () => new Map(), open: notFound },
    workOn: notFound,
    answer: notFound,
    as(caller) {
      callers.push(caller)
      return runtime
    },
    emit: (item) => {
      for (const read of readers) read(item)
    },
    webhook: withUnused<UseCases["webhook"]>({}),
    credential: withUnused<UseCases["credential"]>({}),
    workspace: withUnused<UseCases["workspace"]>({}),
    project: withUnused<UseCases["project"]>({
      open: () => called("project.open", project),
      list: () => called("project.list", [project]),
    }),
    session: withUnused<UseCases["session"]>({
      create: () => called("session.create", session),
      list: () => called("session.list", { items: [], cursor: null }),
      get: async (asked) => (asked.sessionID === sessionID ? session : notFound()),
      tree: () =>
        called("session.tree", { seq: 5, sessions: [session], todos: {}, permissions: [], turns: [], tasks: [] }),
      children: () => called("session.children", []),
      remove: () => called("session.remove", null),
      withdraw: () => called("session.withdraw", { withdrawn: true }),
      abort: () => called("session.abort", { withdrawn: [] }),
      revert: () => called("session.revert", session),
      unrevert: () => called("session.unrevert", { session, left: [] }),
      messages: () => called("session.messages", { items: [], before: null, after: null, seq: 5 }),
    }),
    todo: withUnused<UseCases["todo"]>({
      list: async (asked) => (asked.sessionID === sessionID ? [] : notFound()),
      find: () => called("todo.find", []),
    }),
    task: withUnused({}),
    changes: withUnused({}),
    review: withUnused({}),
    search: withUnused({}),
    presence: withUnused({}),
    editor: withUnused({}),
    lsp: { list: async () => [], restart: async () => undefined },
    extension: {
      list: async () => [],
      switch: async () => "on",
      uninstall: async () => undefined,
      restart: async () => undefined,
      signIn: async () => null,
      finishSignIn: async () => undefined,
      signOut: async () => undefined,
      signInForAll: async () => null,
      signOutForAll: async () => undefined,
      start: async () => notFound(),
      complete: async () => null,
    },
    sandbox: {
      dropped: async () => [],
      state: async () => ({ state: "on", reason: null, remedy: null }),
      limits: async () => ({
        means: "watch",
        command: { processes: 1_024, memory: 2 ** 33, files: 65_536, written: 20 * 2 ** 30 },
        all: { processes: 4_096, memory: 2 ** 33 },
        free: null,
        ended: [],
      }),
    },
    transfer: withUnused({}),
    attachment: withUnused({}),
    plan: withUnused({}),
    memory: withUnused({}),
    schedule: withUnused({}),
    permission: withUnused<UseCases["permission"]>({ list: () => called("permission.list", []) }),
    agent: withUnused<UseCases["agent"]>({ list: () => called("agent.list", []) }),
    command: withUnused({}),
    tool: withUnused({}),
    question: withUnused({}),
    audit: { seen: async ({ entries }) => [...entries] },
    provider: withUnused<UseCases["provider"]>({
      list: () => called("provider.list", []),
      saveKey: () => called("provider.saveKey", null),
      removeKey: () => called("provider.removeKey", null),
      refresh: () => called("provider.refresh", null),
      packages: () => called("provider.packages", []),
    }),
    config: {
      get: () => called("config.get", { config: {}, files: [], problems: [], closures: [], trust }),
      report: () => called("config.report", { config: {}, files: [], problems: [], closures: [], trust }),
      texts: () => called("config.texts", { instructions: [], skills: [] }),
      effective: () => called("config.effective", { values: [], files: [], missing: [], problems: [], others: [] }),
      trust: () => called("config.trust", trust),
      revokeTrust: () => called("config.revokeTrust", trust),
      trusted: () => called("config.trusted", []),
      revokeDirectory: () => called("config.revokeDirectory", undefined),
    },
    share: {
      create: (_asked, asker) => called("share.create", { id: share.id, url: `${asker?.origin}/share/${shareSecret}` }),
      preview: () => called("share.preview", { key: "0".repeat(32), sessions: [], findings: [] }),
      update: () => called("share.update", share),
      list: () => called("share.list", [{ ...share, sessionTitle: "", views: 0, viewed: null, hidden: {} }]),
      revoke: async () => {
        share.time.revoked = 2
        revoked.resolve(true)
        return share
      },
      relink: (_asked, asker) => called("share.relink", { id: share.id, url: `${asker?.origin}/share/${shareSecret}` }),
      revokeAll: () => called("share.revokeAll", []),
    },
    links: {
      unlock: () => called("share.unlock", null),
      ended: (_secret, _visitor, signal) => {
        const left = new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)))
        return Promise.race([revoked.promise, left])
      },
      resolve: (secret) =>
        called("share.resolve", secret === shareSecret && share.time.revoked === null ? share : null),
      home: {
        refresh: () => called("share.home.refresh", undefined),
        frame: () => called("share.home.frame", { author: null, embedSites: [] }),
        file: () => called("share.home.file", null),
      },
      copy: {
        visit: () => called("share.copy.visit", undefined),
        tree: () => called("share.copy.tree", { seq: 5, sessions: [copied], locked: [], todos: {}, tasks: [] }),
        part: () => called("share.copy.part", null),
        file: () => called("share.copy.file", null),
        frame: () => called("share.copy.frame", { author: null, embedSites: [] }),
        readers: () => 0,
        messages: async (_id, { sessionID: id }) =>
          id === sessionID
            ? called("share.copy.messages", { items: [], before: null, after: null, seq: 5 })
            : notFound(),
        async *follow(_id, _since, signal) {
          for await (const item of runtime.feed({ others: false }, signal))
            yield [{ seq: 6, json: JSON.stringify(item) }]
        },
      },
    },
    async *feed(_query, signal) {
      const waiting: FeedItem[] = []
      let wake = () => {}
      const read = (item: FeedItem) => {
        waiting.push(item)
        wake()
      }
      readers.add(read)
      signal.addEventListener("abort", () => wake())
      try {
        while (!signal.aborted) {
          const item = waiting.shift()
          if (item) yield item
          else {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        readers.delete(read)
      }
    },
    close: async () => undefined,
  }
  return runtime
}
