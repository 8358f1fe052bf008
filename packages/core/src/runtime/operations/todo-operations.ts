import { z } from "zod"
import { SessionID, TaskID, Todo, TodoID, TodoInput, TodoPriority, TodoStatus } from "../../ground/schema/index.ts"
import type { TodoPatch, TodoService } from "../../records/todo/todo-service.ts"
import { records } from "./audit-rule.ts"
import { givenAlso, ItemRef, SessionInput } from "./input.ts"
import { mutation, query } from "./operation.ts"

const TodoRef = z.object({ todo: ItemRef })
const Content = z.string().trim().min(1).max(2_000)
/** The most items in one answer. */
const most = 10_000
const Limit = z.number().int().min(1).max(most).optional()

const Patch = z.object({
  content: Content.optional(),
  description: z.string().max(20_000).optional(),
  status: TodoStatus.optional(),
  priority: TodoPriority.optional(),
  /** Its place in the list from 0; the others move. */
  position: z.number().int().nonnegative().optional(),
  /** Ids, numbers or contents of the todos that must be done first. */
  dependsOn: z.array(z.string()).max(50).optional(),
  owner: z
    .object({ agent: z.string().nullable(), sessionID: SessionID.nullable(), taskID: TaskID.nullable() })
    .nullable()
    .optional(),
  /** `null` declines a task's proposal that the todo is done. */
  proposed: z.null().optional(),
})

const Scope = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("all") }),
  z.object({ kind: z.literal("tenant") }),
  z.object({ kind: z.literal("session"), sessionID: SessionID }),
])

export const todoOperations = {
  /** The todo list of a session. */
  list: query({
    input: SessionInput,
    needs: "rows",
    run: ({ todo }, { sessionID }) => todo.list(sessionID),
    rest: {
      method: "get",
      path: "/sessions/{id}/todos",
      operationID: "listSessionTodos",
      summary: "The todo list of a session, in order, with owners and dependencies.",
      item: { schema: SessionID, called: "session" },
      status: 200,
      answer: { description: "the list", schema: z.object({ todos: z.array(Todo) }) },
      refusals: { 404: "there is no such session, or it is another tenant's" },
      read: ({ id }) => ({ sessionID: id }),
      write: (todos) => ({ todos }),
    },
  }),

  /** The todo lists of all sessions of the tree, by session id. */
  tree: query({ input: SessionInput, needs: "rows", run: ({ todo }, { sessionID }) => todo.tree(sessionID) }),

  /**
   * Todos of all lists, of the tenant-wide list, or of a session with the tenant-wide list. Those in progress come
   * first.
   */
  find: query({
    input: z.object({ scope: Scope, status: TodoStatus.optional(), agent: z.string().optional(), limit: Limit }),
    needs: "rows",
    async run({ todo }, { scope, ...rest }, { visibility }) {
      const named = scope.kind === "session" ? [scope.sessionID] : []
      // For a hidden session the answer is that of an unknown one: only the tenant-wide todos.
      const isHidden = visibility !== null && (await visibility.hiddenSessions(named)).size > 0
      return todo.find({ ...rest, scope: isHidden ? { kind: "tenant" } : scope })
    },
    newest: { usual: 200, most, sessionOf: (todo) => todo.sessionID },
  }),

  /** Todos of all lists that a task proposes as done, the newest proposal first. */
  proposed: query({ input: null, needs: "rows", run: ({ todo }) => todo.proposed(), lists: ({ rootID }) => rootID }),

  /** One todo. */
  get: query({ input: TodoRef, needs: "rows", run: ({ todo }, ref) => todo.get(ref.todo) }),

  /**
   * Adds a todo to a session's list, or with `sessionID: null` to the tenant-wide list. Without `position` it comes
   * last.
   */
  create: mutation({
    capability: "todo.edit",
    audit: records("todo.edited", { facts: ["status", "priority"] }),
    input: givenAlso<Omit<Parameters<TodoService["create"]>[0], "id">>()(
      Patch.extend({ sessionID: SessionID.nullable(), content: Content }),
    ),
    idempotent: { row: "todo" },
    needs: "rows",
    run: ({ todo }, fields, { id, asker: { actor } }) => todo.create({ ...fields, id }, { actor }),
  }),

  /** Changes one todo. `position` moves it within its list. */
  update: mutation({
    capability: "todo.edit",
    audit: records("todo.edited", { targets: ["todo"], facts: ["status", "priority", "position"] }),
    input: givenAlso<TodoPatch & z.output<typeof TodoRef>>()(Patch.extend(TodoRef.shape)),
    needs: "rows",
    run: ({ todo }, { todo: ref, ...patch }, { asker: { actor } }) => todo.update(ref, patch, { actor }),
  }),

  /** Removes one todo. */
  remove: mutation({
    capability: "todo.edit",
    audit: records("todo.edited", { targets: ["todo"] }),
    input: TodoRef,
    needs: "rows",
    run: ({ todo }, ref, { asker: { actor } }) => todo.remove(ref.todo, { actor }).then(() => null),
  }),

  /** Replaces a session's list as `todowrite` does: items match by id, then by exact content. */
  replace: mutation({
    capability: "todo.edit",
    audit: records("todo.edited"),
    input: SessionInput.extend({ todos: z.array(TodoInput).max(200) }),
    needs: "rows",
    run: ({ todo }, { sessionID, todos }, { asker: { actor } }) => todo.replace(sessionID, todos, { actor }),
  }),

  /** Changes of one todo or of a session's list, newest first: 200 without `limit`. */
  history: query({
    input: z.object({ todoID: TodoID.optional(), sessionID: SessionID.optional(), limit: Limit }),
    target: null,
    needs: "rows",
    run: ({ todo }, asked) => todo.history(asked),
    newest: { usual: 200, most, sessionOf: (change) => change.sessionID },
  }),

  /** The parts of the transcript that ran while the todo was in progress. `null` when it never was. */
  evidence: query({
    input: TodoRef,
    needs: "rows",
    async run({ todo }, ref, { visibility }) {
      const evidence = await todo.evidence(ref.todo)
      // A todo of no session may have evidence in one.
      const hidden = await visibility?.hiddenSessions([evidence?.sessionID ?? null])
      return hidden !== undefined && hidden.size > 0 ? null : evidence
    },
  }),
}
