/** The table and column of each kind of id. A `…Number` is the number that users see instead of the id. */
export const idKinds = {
  session: { table: "Session", column: "id" },
  project: { table: "Project", column: "id" },
  message: { table: "Message", column: "id" },
  part: { table: "Part", column: "id" },
  turn: { table: "Turn", column: "id" },
  task: { table: "Task", column: "id" },
  permission: { table: "PermissionRequest", column: "id" },
  grant: { table: "StandingGrant", column: "id" },
  share: { table: "Share", column: "id" },
  todo: { table: "Todo", column: "id" },
  todoNumber: { table: "Todo", column: "number" },
  memory: { table: "Memory", column: "id" },
  memoryNumber: { table: "Memory", column: "number" },
  schedule: { table: "Schedule", column: "id" },
  scheduleNumber: { table: "Schedule", column: "number" },
  scheduleRun: { table: "ScheduleRun", column: "id" },
  reviewThread: { table: "ReviewThread", column: "id" },
  reviewComment: { table: "ReviewComment", column: "id" },
  reviewDraft: { table: "ReviewDraft", column: "id" },
  webhook: { table: "Webhook", column: "id" },
  webhookDelivery: { table: "WebhookDelivery", column: "id" },
} as const
export type IdKind = keyof typeof idKinds

export type Id = string | number

export interface IdRoute {
  /** Method and path, or the name of the procedure. */
  name: string
  kind: IdKind
  call(id: Id): { method: string; path: string; body?: unknown }
}

/** Every route of `/v1` that takes an id. */
export function restRoutes(): IdRoute[] {
  const route = (kind: IdKind, method: string, path: (id: string) => string, body?: (id: Id) => unknown): IdRoute => ({
    name: `${method} ${path("…")} ${body === undefined ? "" : Object.keys(Object(body("…"))).join()}`,
    kind,
    call: (id) => ({ method, path: path(encodeURIComponent(id)), ...(body && { body: body(id) }) }),
  })
  const todos = "/v1/todos"
  const entries = "/v1/memory/entries"
  const schedules = "/v1/schedules"
  return [
    route("todoNumber", "GET", (id) => `${todos}/${id}`),
    route(
      "todoNumber",
      "PATCH",
      (id) => `${todos}/${id}`,
      () => ({ subject: "taken over" }),
    ),
    route(
      "todoNumber",
      "PATCH",
      (id) => `${todos}/${id}`,
      () => ({ position: 0 }),
    ),
    route(
      "todoNumber",
      "PATCH",
      () => todos,
      (id) => [{ id, status: "completed" }],
    ),
    route(
      "todoNumber",
      "PATCH",
      () => todos,
      (id) => ({ todos: [{ id, description: "taken over" }] }),
    ),
    route("session", "GET", (id) => `${todos}?conversation_id=${id}`),
    route("session", "GET", (id) => `${todos}?conversation_id=${id}&status=pending&agent_id=index&limit=500`),
    route(
      "session",
      "POST",
      () => todos,
      (id) => ({ subject: "planted", conversation_id: id }),
    ),
    route("memoryNumber", "GET", (id) => `${entries}/${id}`),
    route(
      "memoryNumber",
      "PATCH",
      (id) => `${entries}/${id}`,
      () => ({ title: "taken over" }),
    ),
    route("session", "GET", (id) => `${entries}?conversation_id=${id}`),
    route("session", "GET", (id) => `${entries}?conversation_id=${id}&q=secret`),
    route(
      "session",
      "POST",
      () => entries,
      (id) => ({ type: "user", title: "planted", conversation_id: id }),
    ),
    route("memoryNumber", "POST", (id) => `${entries}/${id}/invalidate`),
    route("scheduleNumber", "GET", (id) => `${schedules}/${id}`),
    route("scheduleNumber", "GET", (id) => `${schedules}/${id}/runs`),
    route(
      "scheduleNumber",
      "PATCH",
      (id) => `${schedules}/${id}`,
      () => ({ status: "paused" }),
    ),
    route(
      "session",
      "POST",
      () => schedules,
      (id) => ({
        schedule: "in 500 weeks",
        message: "planted",
        conversation_id: id,
      }),
    ),
    ...["tree", "messages", "threads", "export"].map((what) =>
      route("session", "GET", (id) => `/v1/sessions/${id}/${what}`),
    ),
    route("session", "GET", (id) => `/v1/sessions/${id}/review-events?since=0`),
    route("session", "GET", (id) => `/v1/shares?session=${id}`),
    route("project", "POST", (id) => `/v1/sessions/import?project=${id}`),
    route(
      "session",
      "POST",
      (id) => `/v1/sessions/${id}/threads`,
      () => ({ place: { kind: "session" }, text: "planted" }),
    ),
    route(
      "session",
      "POST",
      (id) => `/v1/sessions/${id}/send`,
      () => ({ to: "child", comments: ["rvc_000000000000AAAAAAAAAAAAAA"] }),
    ),
    route(
      "reviewThread",
      "POST",
      (id) => `/v1/threads/${id}/comments`,
      () => ({ text: "planted" }),
    ),
    route("task", "GET", (id) => `/v1/tasks/${id}/verdicts`),
    route(
      "task",
      "POST",
      (id) => `/v1/tasks/${id}/verdicts`,
      () => ({ verdict: "approve" }),
    ),
    route("task", "DELETE", (id) => `/v1/tasks/${id}/verdicts`),
    route("scheduleNumber", "GET", (id) => `/v1/runs?task_id=${id}`),
    route("scheduleRun", "GET", (id) => `/v1/runs/${id}`),
    route("todoNumber", "DELETE", (id) => `${todos}/${id}`),
    route("memoryNumber", "DELETE", (id) => `${entries}/${id}`),
    route("scheduleNumber", "DELETE", (id) => `${schedules}/${id}`),
  ]
}

/** The caller's own rows, for procedures that take another id in addition. */
export interface OwnIds {
  session: string
  /** A user message of the session. */
  message: string
  project: string
  todo: string
}

/** The type and inputs of the procedures, by name. */
export type Procedures = Record<
  string,
  { type: string; inputs: { safeParse(value: unknown): { success: boolean; data?: unknown } }[] }
>

/** The kind of id for each name in an input. */
const inputKinds = {
  sessionID: "session",
  rootID: "session",
  projectID: "project",
  taskID: "task",
  partID: "part",
  todoID: "todo",
  webhookID: "webhook",
  deliveryID: "webhookDelivery",
} as const satisfies Record<string, IdKind>

/**
 * Every id that a procedure takes. Queries with a single id are found by their inputs; all others are listed here.
 * Those that remove or stop something come last.
 */
export function procedureRoutes(own: OwnIds, procedures: Procedures, sample: (kind: IdKind) => Id): IdRoute[] {
  const call = (kind: IdKind, name: string, input: (id: Id) => object): IdRoute => ({
    name: `${name} ${Object.keys(input("…")).join()}`,
    kind,
    call(id) {
      if (procedures[name]?.type === "mutation") return { method: "POST", path: `/api/trpc/${name}`, body: input(id) }
      const query = encodeURIComponent(JSON.stringify(input(id)))
      return { method: "GET", path: `/api/trpc/${name}?input=${query}` }
    },
  })
  const queries = Object.entries(procedures).flatMap(([name, { type, inputs }]) =>
    Object.entries(inputKinds)
      .filter(([key, kind]) => type === "query" && inputs.some((input) => takes(input, { [key]: sample(kind) })))
      .map(([key, kind]) => call(kind, name, (id) => ({ [key]: id }))),
  )
  const bySession = (name: string, more: object = {}) => call("session", name, (sessionID) => ({ sessionID, ...more }))
  const byProject = (name: string, more: object = {}) => call("project", name, (projectID) => ({ projectID, ...more }))
  const byTask = (name: string, more: object = {}) => call("task", name, (taskID) => ({ taskID, ...more }))
  const byRef = (kind: "todo" | "memory" | "schedule", name: string, more: object = {}) => [
    call(kind, name, (id) => ({ [kind]: id, ...more })),
    call(`${kind}Number`, name, (number) => ({ [kind]: number, ...more })),
  ]
  const prompt = { parts: [{ type: "text", text: "planted" }] }
  const fact = { type: "user", title: "planted", content: "planted" }
  const plan = { when: "in 500 weeks", message: "planted" }
  const step = { sessionID: own.session, messageID: own.message }
  const file = { sessionID: own.session, path: "a.txt", steps: [step] }
  const named = { content: "named", status: "pending", priority: "low" }
  return [
    ...queries,
    ...["before", "after", "around"].map((side) =>
      call("message", "session.messages", (id) => ({ sessionID: own.session, [side]: id })),
    ),
    call("part", "session.messages", (around) => ({ sessionID: own.session, around })),
    call("session", "event.subscribe", (rootID) => ({ rootID, since: 0 })),
    bySession("session.update", { title: "taken over" }),
    bySession("session.markRead", { at: 1 }),
    byProject("session.create"),
    byProject("transfer.import", { file: "{}" }),
    byProject("session.start", prompt),
    ...["session.prompt", "session.promptAsync"].map((name) => bySession(name, prompt)),
    call("turn", "session.withdraw", (turnID) => ({ turnID })),
    call("message", "changes.diff", (messageID) => ({ ...file, steps: [{ ...step, messageID }] })),
    call("session", "changes.diff", (sessionID) => ({ ...file, sessionID })),
    call("session", "todo.find", (sessionID) => ({ scope: { kind: "session", sessionID } })),
    ...byRef("todo", "todo.get"),
    ...byRef("todo", "todo.evidence"),
    ...byRef("todo", "todo.update", { content: "taken over" }),
    ...(["todo", "todoNumber"] as const).flatMap((kind) => [
      call(kind, "todo.update", (id) => ({ todo: own.todo, dependsOn: [String(id)] })),
      call(kind, "todo.create", (id) => ({ sessionID: null, content: "planted", dependsOn: [String(id)] })),
      call(kind, "todo.replace", (id) => ({
        sessionID: own.session,
        todos: [{ ...named, dependsOn: [String(id)] }],
      })),
    ]),
    bySession("plan.write", { text: "planted", version: "" }),
    bySession("plan.makeTodos"),
    bySession("todo.create", { content: "planted" }),
    bySession("session.setPreset", { preset: "ask" }),
    bySession("session.setVisibility", { visibility: "author" }),
    bySession("todo.replace", { todos: [named] }),
    byTask("task.message", { text: "planted" }),
    byTask("task.resume", { text: "planted" }),
    ...["background", "merge", "retry"].map((name) => byTask(`task.${name}`)),
    ...reviewRoutes(own, call),
    bySession("memory.search", { q: "secret" }),
    bySession("search.rows", { text: "secret" }),
    byProject("memory.search", { all: true }),
    ...byRef("memory", "memory.get"),
    ...byRef("memory", "memory.update", { title: "taken over" }),
    bySession("memory.create", fact),
    byProject("memory.create", fact),
    ...byRef("schedule", "schedule.get"),
    ...byRef("schedule", "schedule.runs"),
    ...byRef("schedule", "schedule.setStatus", { status: "paused" }),
    byProject("schedule.create", plan),
    call("session", "schedule.create", (sessionID) => ({ projectID: own.project, sessionID, ...plan })),
    ...byRef("schedule", "schedule.runNow"),
    call("session", "presence.at", (sessionID) => ({ id: "a-tab-of-mine", place: { sessionID, view: "session" } })),
    call("permission", "permission.reply", (requestID) => ({ requestID, reply: "always" })),
    call("grant", "permission.revoke", (grantID) => ({ grantID })),
    call("session", "permission.allowLeft", (sessionID) => ({ sessionID, leftID: "0".repeat(32) })),
    call("permission", "question.answer", (requestID) => ({ requestID, answers: [] })),
    call("permission", "question.dismiss", (requestID) => ({ requestID })),
    byProject("config.revokeTrust"),
    byProject("config.trust", { hash: "0".repeat(64) }),
    byProject("project.files", { query: "notes" }),
    byProject("agent.file", { file: "/tmp/a.md" }),
    byProject("agent.create", { owner: "project", name: "planted", text: "Planted." }),
    byProject("agent.update", { file: "/tmp/a.md", hash: "0".repeat(64), text: "Planted." }),
    byProject("agent.remove", { file: "/tmp/a.md", hash: "0".repeat(64) }),
    byProject("agent.judgeHistory", { since: 0, permission: {} }),
    byProject("agent.judge", { agent: "build", permission: "bash", text: "ls" }),
    ...["rotate", "test"].map((name) => call("webhook", `webhook.${name}`, (webhookID) => ({ webhookID }))),
    call("webhook", "webhook.update", (webhookID) => ({ webhookID, name: "taken over" })),
    call("webhookDelivery", "webhook.redeliver", (deliveryID) => ({ deliveryID })),
    call("session", "share.create", (rootID) => ({ rootID })),
    call("share", "share.update", (shareID) => ({ shareID, title: "taken over" })),
    call("share", "share.relink", (shareID) => ({ shareID })),
    call("share", "share.revoke", (shareID) => ({ shareID })),
    call("session", "share.revokeAll", (rootID) => ({ rootID })),
    { name: "GET /session/…/todo", kind: "session", call: (id) => ({ method: "GET", path: `/session/${id}/todo` }) },
    { name: "GET /api/export/…", kind: "session", call: (id) => ({ method: "GET", path: `/api/export/${id}` }) },
    {
      name: "POST /api/import?project=…",
      kind: "project",
      call: (id) => ({ method: "POST", path: `/api/import?project=${id}`, body: {} }),
    },
    byTask("task.cancel"),
    bySession("session.abort"),
    call("session", "session.revert", (sessionID) => ({ sessionID, messageID: own.message })),
    call("message", "session.revert", (messageID) => ({ sessionID: own.session, messageID })),
    bySession("session.unrevert"),
    ...byRef("memory", "memory.invalidate"),
    ...byRef("todo", "todo.remove"),
    ...byRef("memory", "memory.remove"),
    ...byRef("schedule", "schedule.remove"),
    call("webhook", "webhook.remove", (webhookID) => ({ webhookID })),
    bySession("session.remove"),
  ]
}

/** Review procedures for a tree, a task, a thread and a comment. */
function reviewRoutes(
  own: OwnIds,
  call: (kind: IdKind, name: string, input: (id: Id) => object) => IdRoute,
): IdRoute[] {
  const text = "planted"
  const place = (id: Id) => ({ sessionID: own.session, place: { kind: "message", messageID: id } })
  const part = { messageID: own.message, of: "text", from: 0, to: 1 }
  const diff = { kind: "diff", path: "a.txt", side: "new", from: 1, to: 1 }
  return [
    call("session", "review.thread.create", (sessionID) => ({ sessionID, place: { kind: "session" }, text })),
    call("message", "review.thread.create", (id) => ({ ...place(id), text })),
    call("message", "review.draft.save", (id) => ({ ...place(id), text })),
    call("part", "review.thread.create", (partID) => ({
      sessionID: own.session,
      place: { kind: "text", ...part, partID },
      text,
    })),
    call("task", "review.thread.create", (taskID) => ({
      sessionID: own.session,
      place: { ...diff, scope: { kind: "task", taskID } },
      text,
    })),
    call("session", "review.draft.save", (sessionID) => ({ sessionID, place: { kind: "session" }, text })),
    call("reviewThread", "review.draft.save", (threadID) => ({ threadID, text })),
    call("reviewDraft", "review.draft.save", (draftID) => ({ draftID, text })),
    call("session", "review.draft.post", (sessionID) => ({ sessionID, draftIDs: [] })),
    call("reviewDraft", "review.draft.post", (id) => ({ sessionID: own.session, draftIDs: [id] })),
    call("reviewDraft", "review.draft.discard", (draftID) => ({ draftID })),
    call("reviewThread", "review.thread.reply", (threadID) => ({ threadID, text })),
    call("reviewThread", "review.thread.resolve", (threadID) => ({ threadID })),
    call("reviewThread", "review.thread.reopen", (threadID) => ({ threadID })),
    call("reviewComment", "review.thread.edit", (commentID) => ({ commentID, text })),
    call("reviewComment", "review.thread.delete", (commentID) => ({ commentID })),
    call("session", "review.send", (sessionID) => ({ sessionID, to: "parent" })),
    call("reviewComment", "review.send", (id) => ({ sessionID: own.session, to: "parent", commentIDs: [id] })),
    call("task", "review.verdict.give", (taskID) => ({ taskID, verdict: "reject", reason: text })),
    call("task", "review.verdict.withdraw", (taskID) => ({ taskID })),
    call("task", "review.viewed.set", (taskID) => ({ taskID, viewed: true })),
  ]
}

/** Whether the input accepts exactly these ids. */
function takes(input: Procedures[string]["inputs"][number], ids: object): boolean {
  const { success, data } = input.safeParse(ids)
  return success && typeof data === "object" && data !== null && Object.keys(ids).every((key) => key in data)
}
