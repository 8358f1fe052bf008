import type { Session } from "@docket/core/schema"
import type { Store, TenantDatabase } from "@docket/core/store"

/** Everything in a database as the ports return it, as JSON, by the name of the query. */
export async function readDatabase(database: TenantDatabase): Promise<Record<string, unknown>> {
  const tenants = await database.tenants.list()
  const tokens = await database.tokens.list()
  const answers: Record<string, unknown> = {
    newestTime: await database.newestTime(),
    tenants,
    tokens,
    hashed: await Promise.all(tokens.map(({ tokenHash }) => database.tokens.byHash(tokenHash))),
  }
  for (const { id } of tenants) {
    for (const [what, answer] of Object.entries(await readStore(database.store(id)))) answers[`${id} ${what}`] = answer
  }
  return plain(answers)
}

async function readStore(store: Store) {
  const roots = [
    ...(await allRoots(store, { archived: false })),
    ...(await allRoots(store, { archived: true })),
    ...(await allRoots(store, { archived: false, search: "100%_" })),
  ]
  const trees = []
  for (const { session } of roots) trees.push(await readTree(store, session.id))
  const projects = await store.project.list()
  return {
    roots,
    trees,
    projects,
    byDirectory: await Promise.all(projects.map(({ directory }) => store.project.byDirectory(directory))),
    byProject: await Promise.all(projects.map(({ id }) => allRoots(store, { archived: false, projectID: id }))),
    turns: await store.turn.open(),
    permissions: await store.permission.pending(),
    openTasks: await store.task.open(),
    // The recorded answers have this older name of `undelivered`.
    untold: await store.task.undelivered(),
    worktrees: await store.task.withWorktree(),
    trusts: await store.trust.list(),
    ...(await readTodos(store)),
    ...(await readMemories(store)),
    ...(await readSchedules(store)),
  }
}

/** Reads in pages of two, so that cursors are used. */
async function allRoots(store: Store, query: { archived: boolean; search?: string; projectID?: string }) {
  const items = []
  let cursor: string | undefined
  do {
    const page = await store.session.listRoots({ ...query, limit: 2, cursor })
    items.push(...page.items)
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

async function readTree(store: Store, rootID: string) {
  const sessions = await store.session.tree(rootID)
  const tasks = await store.task.tree(rootID)
  const transcripts = []
  for (const session of sessions) transcripts.push(await readSession(store, session))
  return {
    head: await store.feed.head(rootID),
    changes: await store.feed.changesSince(rootID, 0, 1_000),
    sessions,
    transcripts,
    tasks,
    byNumber: await Promise.all(tasks.map(({ number }) => store.task.byNumber(rootID, number))),
    lastNumber: tasks.at(-1)?.number ?? 0,
    todos: await store.todo.tree(rootID),
    grants: await store.permission.grants(rootID),
    pending: await store.permission.pending(rootID),
    shares: await store.share.list(rootID),
    turns: await store.turn.open({ rootID }),
  }
}

async function readSession(store: Store, { id: sessionID, parentID, origin }: Session) {
  const newest = await store.transcript.page({ sessionID, limit: 3 })
  const [first] = newest.items
  const { transcript } = store
  return {
    newest,
    before: newest.before && (await transcript.page({ sessionID, before: newest.before, limit: 3 })),
    around: first && (await transcript.page({ sessionID, around: first.parts[0]?.id ?? first.info.id, limit: 4 })),
    prompt: await transcript.sinceCompaction(sessionID),
    tools: await transcript.openToolParts(sessionID),
    open: await transcript.openMessages(sessionID),
    children: await store.session.children(sessionID),
    origin: origin && parentID && (await store.session.childByOrigin(parentID, origin.callID)),
    task: await store.task.byChild(sessionID),
    history: await store.todo.history({ sessionID, limit: 100 }),
  }
}

async function readTodos(store: Store) {
  const todos = await store.todo.find({ scope: { kind: "all" }, limit: 1_000 })
  return {
    todos,
    tenantWide: await store.todo.find({ scope: { kind: "tenant" }, status: "pending", limit: 100 }),
    ofBuild: await store.todo.find({ scope: { kind: "all" }, agent: "build", limit: 100 }),
    todoByNumber: await Promise.all(todos.map(({ number }) => store.todo.byNumber(number))),
    todoHistory: await store.todo.history({ limit: 1_000 }),
  }
}

async function readMemories(store: Store) {
  const memories = await store.memory.list({ all: true, limit: 1_000 })
  const tags = [...new Set(memories.flatMap((memory) => memory.tags))]
  const ofSession = memories.find(({ sessionID }) => sessionID !== null)
  return {
    memories,
    memoryByNumber: await Promise.all(memories.map(({ number }) => store.memory.byNumber(number))),
    tagged: await Promise.all(tags.map((tag) => store.memory.list({ tag, all: true, limit: 10 }))),
    seen: await store.memory.list({
      sessionID: ofSession?.sessionID ?? undefined,
      projectID: ofSession?.projectID ?? undefined,
      types: ["project", "user"],
      limit: 10,
    }),
  }
}

async function readSchedules(store: Store) {
  const schedules = await store.schedule.list()
  return {
    schedules,
    due: await store.schedule.due(10_000),
    scheduleByNumber: await Promise.all(schedules.map(({ number }) => store.schedule.byNumber(number))),
    runs: await store.schedule.runs({ limit: 100 }),
    failedRuns: await store.schedule.runs({ status: "failed", since: 1, limit: 100 }),
  }
}

/** The value after a round trip through JSON, as the recorded answers are. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
