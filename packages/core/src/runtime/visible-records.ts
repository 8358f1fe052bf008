import { grantMissing } from "../acts/permission/listed-grants.ts"
import { deliveryMissing } from "../records/webhook/webhook-missing.ts"
import type { CallerServices } from "./caller-services.ts"
import type { OtherServices } from "./runtime.ts"
import type { Sight } from "./sight.ts"
import { visibleFirst } from "./visible-pages.ts"

type Areas = Pick<CallerServices, "todo" | "memory" | "schedule" | "permission" | "agent" | "webhook">

/** Rows of a list when nobody says how many, and at most. */
const lists = {
  todos: { usual: 200, most: 10_000 },
  memories: { usual: 50, most: 200 },
  runs: { usual: 200, most: 10_000 },
}

type Ref = string | number

/** Rows that may be of a tree, as far as the caller sees it. Each use case is named: a new one does not compile here. */
export function visibleRecords(of: OtherServices, sight: Sight): Areas {
  const { todo, memory, schedule, permission, agent, webhook } = of
  const checked =
    (kind: "session" | "todo" | "memory" | "schedule" | "request") =>
    async <T>(ref: Ref | null | undefined, work: () => Promise<T>): Promise<T> => {
      if (ref !== null && ref !== undefined) await sight.check(kind, ref)
      return work()
    }
  const inSession = checked("session")
  const [ofTodo, ofMemory, ofSchedule, ofRequest] = [
    checked("todo"),
    checked("memory"),
    checked("schedule"),
    checked("request"),
  ]
  return {
    todo: {
      list: (sessionID) => inSession(sessionID, () => todo.list(sessionID)),
      tree: (sessionID) => inSession(sessionID, () => todo.tree(sessionID)),
      async find({ limit = lists.todos.usual, ...query }) {
        const { scope } = query
        const sessions = await sight.hiddenSessions([scope.kind === "session" ? scope.sessionID : null])
        // Of a session that never was, only what is of none is found.
        const seen = sessions.size === 0 ? scope : ({ kind: "tenant" } as const)
        return visibleFirst(
          sight,
          { limit, most: lists.todos.most },
          {
            read: (size) => todo.find({ ...query, scope: seen, limit: size }),
            sessionOf: (item) => item.sessionID,
          },
        )
      },
      async proposed() {
        const trees = await sight.hidden()
        return (await todo.proposed()).filter(({ rootID }) => rootID === null || !trees.has(rootID))
      },
      get: (ref) => ofTodo(ref, () => todo.get(ref)),
      replace: (sessionID, items, by) => inSession(sessionID, () => todo.replace(sessionID, items, by)),
      write: (sessionID, items, by, known) => inSession(sessionID, () => todo.write(sessionID, items, by, known)),
      create: (input, by) => inSession(input.sessionID, () => todo.create(input, by)),
      addSteps: (sessionID, steps, by) => inSession(sessionID, () => todo.addSteps(sessionID, steps, by)),
      update: (ref, patch, by) => ofTodo(ref, () => todo.update(ref, patch, by)),
      remove: (ref, by) => ofTodo(ref, () => todo.remove(ref, by)),
      history: ({ limit = lists.todos.usual, ...query }) =>
        visibleFirst(
          sight,
          { limit, most: lists.todos.most },
          {
            read: (size) => todo.history({ ...query, limit: size }),
            sessionOf: (change) => change.sessionID,
          },
        ),
      async evidence(ref) {
        const evidence = await ofTodo(ref, () => todo.evidence(ref))
        // A todo of no session may have been given to one.
        const sessions = await sight.hiddenSessions([evidence?.sessionID ?? null])
        return sessions.size === 0 ? evidence : null
      },
    },
    memory: {
      create: (input) => inSession(input.sessionID, () => memory.create(input)),
      get: (ref) => ofMemory(ref, () => memory.get(ref)),
      update: (ref, patch) => ofMemory(ref, () => memory.update(ref, patch)),
      invalidate: (ref) => ofMemory(ref, () => memory.invalidate(ref)),
      remove: (ref) => ofMemory(ref, () => memory.remove(ref)),
      search: ({ limit = lists.memories.usual, ...query }) =>
        inSession(query.sessionID, () =>
          visibleFirst(
            sight,
            { limit, most: lists.memories.most },
            {
              read: (size) => memory.search({ ...query, limit: size }),
              sessionOf: (entry) => entry.sessionID,
            },
          ),
        ),
    },
    schedule: {
      preview: schedule.preview,
      create: (input) => inSession(input.sessionID, () => schedule.create(input)),
      async list(projectID) {
        const trees = await sight.hidden()
        return (await schedule.list(projectID)).filter(({ sessionID }) => sessionID === null || !trees.has(sessionID))
      },
      get: (ref) => ofSchedule(ref, () => schedule.get(ref)),
      setStatus: (ref, status) => ofSchedule(ref, () => schedule.setStatus(ref, status)),
      remove: (ref) => ofSchedule(ref, () => schedule.remove(ref)),
      runNow: (ref) => ofSchedule(ref, () => schedule.runNow(ref)),
      runs: ({ limit = lists.runs.usual, ...query }) =>
        ofSchedule(query.ref, () =>
          visibleFirst(
            sight,
            { limit, most: lists.runs.most },
            {
              read: (size) => schedule.runs({ ...query, limit: size }),
              sessionOf: (run) => run.sessionID,
            },
          ),
        ),
      async run(id) {
        const run = await schedule.run(id)
        const sessions = await sight.hiddenSessions([run?.sessionID ?? null])
        return sessions.size === 0 ? run : null
      },
    },
    permission: {
      async pending(rootID) {
        const trees = await sight.hidden()
        return (await permission.pending(rootID)).filter((request) => !trees.has(request.rootID))
      },
      reply: (id, reply, options) => ofRequest(id, () => permission.reply(id, reply, options)),
      answer: (id, answers) => ofRequest(id, () => permission.answer(id, answers)),
      grants: async () => {
        const trees = await sight.hidden()
        const { grants, more } = await permission.grants()
        return { grants: grants.filter(({ origin: { rootID } }) => rootID === null || !trees.has(rootID)), more }
      },
      allowLeft: (sessionID, id) => inSession(sessionID, () => permission.allowLeft(sessionID, id)),
      async revoke(grantID) {
        const trees = await sight.hidden()
        const { grants } = trees.isEmpty ? { grants: [] } : await permission.grants()
        const grant = grants.find(({ id }) => id === grantID)
        const rootID = grant?.origin.rootID ?? null
        if (rootID !== null && trees.has(rootID)) throw grantMissing(grantID)
        return permission.revoke(grantID)
      },
    },
    webhook: {
      ...webhook,
      async deliveries(query) {
        const trees = await sight.hidden()
        const page = await webhook.deliveries(query)
        return { ...page, items: page.items.filter(({ rootID }) => rootID === null || !trees.has(rootID)) }
      },
      async delivery(id) {
        const trees = await sight.hidden()
        const delivery = await webhook.delivery(id)
        if (delivery.rootID !== null && trees.has(delivery.rootID)) throw deliveryMissing(id)
        return delivery
      },
      async redeliver(id) {
        const trees = await sight.hidden()
        const { rootID } = await webhook.delivery(id)
        if (rootID !== null && trees.has(rootID)) throw deliveryMissing(id)
        return webhook.redeliver(id)
      },
    },
    agent: {
      ...agent,
      async judgeHistory(projectID, query) {
        const trees = await sight.hidden()
        return agent.judgeHistory(projectID, { ...query, ...(!trees.isEmpty && { isHidden: trees.has }) })
      },
    },
  }
}
